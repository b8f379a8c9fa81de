import express from 'express';
import { createPool } from 'mysql2/promise';
import { bareListQuery } from './bare-query.js';

/** A route that does nothing but send the newest shipments of an account, as the least that an API could do. */
const pool = createPool({ uri: String(process.env.DATABASE_URL), dateStrings: true, connectionLimit: 10 });
const app = express();
app.get('/', (_request, response) => {
  response.send('ready');
});
app.get('/shipments', async (request, response) => {
  const [rows] = await pool.query(bareListQuery, [Number(request.query['account'])]);
  response.json({ data: rows });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
