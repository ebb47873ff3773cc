import { ConfigError } from "./config.ts";

/** An error of listening in the operator's words: which port, and what to do. */
export function explainListenError(error: unknown, address: { host: string; port: number; variable: string }): unknown {
  const { host, port, variable } = address;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return new ConfigError(
      `Port ${port} on ${host} is in use by another program. Choose another, for example: ${variable}=${port + 10} npm start`,
    );
  if (code === "EACCES")
    return new ConfigError(
      `Port ${port} on ${host} may not be opened by this user. Choose one above 1023 with ${variable}.`,
    );
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new ConfigError(
      `GREENLIT_HOST is "${host}", which is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of them.`,
    );
  return error;
}
