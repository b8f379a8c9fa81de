import express from 'express';
import { createPool, type RowDataPacket } from 'mysql2/promise';

/** The cost of any API: Express, one statement by primary key, JSON with its ETag. */
const pool = createPool({ uri: process.env.DATABASE_URL ?? '', connectionLimit: 20 });
const app = express();

app.get('/health/ready', (_req, res) => {
  res.end();
});
app.get('/bare/:id', async (req, res) => {
  const [rows] = await pool.execute<RowDataPacket[]>('SELECT * FROM accounts WHERE id = ?', [req.params.id]);
  res.json({ data: { ...rows[0], client_secret_hash: null } });
});

const server = app.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => void pool.end());
});
