// Loaded before a host or a virtual phone (`node --import`): kills its own process at a named point, where
// COUNTERSIGN_CRASH says so, for example "fsync after 7": right after the seventh fsync. The product itself
// knows nothing of it. Points: fsync, write (a journal's or file's bytes), send and message (a frame out or
// in), statement (one of SQLite's).
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';

const require = createRequire(import.meta.url);
const [point, when, count] = (process.env.COUNTERSIGN_CRASH ?? '').split(' ');
let left = Number(count);

function passing(name, moment) {
  if (name !== point || moment !== when) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

function wrap(object, method, name, isIt = () => true) {
  const before = object[method];
  object[method] = function wrapped(...args) {
    if (!isIt(args)) return before.apply(this, args);
    passing(name, 'before');
    const result = before.apply(this, args);
    passing(name, 'after');
    return result;
  };
}

if (point !== '' && left > 0) {
  wrap(fs, 'fsyncSync', 'fsync');
  wrap(fs, 'writeSync', 'write');
  syncBuiltinESMExports();
  const { WebSocket } = require('ws');
  wrap(WebSocket.prototype, 'send', 'send');
  wrap(WebSocket.prototype, 'emit', 'message', ([event]) => event === 'message');
  const Database = require('better-sqlite3');
  const probe = new Database(':memory:');
  wrap(Object.getPrototypeOf(probe.prepare('SELECT 1')), 'run', 'statement');
  probe.close();
}
