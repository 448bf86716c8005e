/** The tests of the core open no socket: this makes one that tries fail. */
import { Server, Socket } from 'node:net';

function refuse(): never {
  throw new Error('a test of the core opens a socket');
}

Server.prototype.listen = refuse;
Socket.prototype.connect = refuse;
