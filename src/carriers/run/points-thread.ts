import { parentPort } from 'node:worker_threads';
import { readPoints, type XmlReply } from './replies.js';

/** Entry of the thread that reads one long list of pickup points. */
parentPort?.once('message', (reply: XmlReply) => parentPort?.postMessage(readPoints(reply)));
