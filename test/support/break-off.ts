import type { Socket } from 'node:net';

/**
 * Breaks a connection, by a reset where one is possible. A socket that is being shut down refuses it
 * (`uv_tcp_close_reset`: EINVAL); Node then takes the handle for closed, libuv does not, and the
 * process spins for ever when it exits.
 */
export function breakOff(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
