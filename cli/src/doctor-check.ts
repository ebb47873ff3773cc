/** What the doctor says about one thing. */
export type Finding = { status: "ok" | "warning" | "error"; message: string };

export type Check = { name: string } & Finding;
