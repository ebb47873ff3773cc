/** The part of autocannon that load.ts uses; the package has no types of its own. */
declare module "autocannon" {
  type Request = { path?: string };
  function autocannon(options: {
    url: string;
    connections: number;
    duration?: number;
    amount?: number;
    headers?: Record<string, string>;
    requests?: { setupRequest: (request: Request) => Request }[];
  }): Promise<{
    duration: number;
    errors: number;
    non2xx: number;
    requests: { total: number };
  }>;
  export = autocannon;
}
