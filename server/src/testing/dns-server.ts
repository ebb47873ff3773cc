import { createSocket } from "node:dgram";

/** A name server on loopback that answers as told, at once and with no time to live. */
export type DnsServer = { address: string; questions: string[] } & AsyncDisposable;

/** `answer` gives the addresses of a name; undefined: the question is never answered. */
export async function startDnsServer(
  answer: (name: string, count: number) => string[] | undefined,
): Promise<DnsServer> {
  const questions: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (message, sender) => {
    const { name, type, end } = readQuestion(message);
    if (type === typeA) questions.push(name);
    const addresses = answer(name, questions.length);
    if (addresses) socket.send(makeAnswer(message, { type, end, addresses }), sender.port, sender.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

const typeA = 1;

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join("."), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function makeAnswer(question: Buffer, options: { type: number; end: number; addresses: string[] }): Buffer {
  const matching = options.type === typeA ? options.addresses.filter((address) => !address.includes(":")) : [];
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(matching.length, 6);
  header.writeUInt32BE(0, 8);
  const records = matching.map((address) => {
    const record = Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]);
    record.set(address.split(".").map(Number), 12);
    return record;
  });
  return Buffer.concat([header, question.subarray(12, options.end), ...records]);
}
