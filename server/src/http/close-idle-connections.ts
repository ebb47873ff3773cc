import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Lets a stop take as long as the requests under way and no longer. Node looks for idle connections only once: one whose
 * answer ends after that idles for its keep-alive time, and one that never sent a byte stays as long as it likes.
 */
export function closeIdleConnections(server: Server): { begin(): void } {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return {
    begin() {
      const sweeping = setInterval(() => {
        server.closeIdleConnections();
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }, 50);
      server.once("close", () => clearInterval(sweeping));
    },
  };
}
