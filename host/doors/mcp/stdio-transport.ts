/**
 * MCP's stdio binding with answers to bad frames: a line that is not JSON, not UTF-8, not JSON-RPC or too
 * long gets a JSON-RPC error and the connection goes on. (The SDK's own transport drops such lines without
 * a word and closes at 10 MB.) Not for eras or handlers.
 */
import type { Readable } from 'node:stream';
import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { LineReader, textOf } from '../line-reader.ts';

/**
 * Longest frame read, bytes. Above the largest argument anything accepts, so that an argument that is too
 * large is answered by its own code; a longer line is answered without being kept.
 */
export const FRAME_BYTES = 32 * 1024 * 1024;

export type WriteLine = (text: string) => Promise<void>;

/** The request's id where one can still be read from a frame that is no message. */
function idOf(value: unknown): string | number | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : undefined;
}

interface BadFrame {
  readonly code: number;
  readonly say: string;
  readonly id?: string | number | undefined;
}

/** The message a line holds, or why it holds none; null for an empty line. */
function messageOf(line: Buffer): { readonly message: JSONRPCMessage } | BadFrame | null {
  const text = textOf(line);
  if (text === null) return { code: PARSE_ERROR, say: 'Parse error: the line is not UTF-8.' };
  if (text.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { code: PARSE_ERROR, say: 'Parse error: the line is not JSON.' };
  }
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    return { code: INVALID_REQUEST, say: 'Invalid request: not one JSON-RPC 2.0 message.', id: idOf(value) };
  }
}

export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];

  private readonly input: Readable;
  private readonly write: WriteLine;
  private readonly reader: LineReader;
  private closed = false;

  constructor(input: Readable, write: WriteLine) {
    this.input = input;
    this.write = write;
    this.reader = new LineReader(
      FRAME_BYTES,
      (line) => this.read(line),
      (bytes) =>
        this.refuse(INVALID_REQUEST, `A frame of ${bytes} bytes is too long; at most ${FRAME_BYTES}.`),
    );
  }

  async start(): Promise<void> {
    this.input.on('data', this.take);
    this.input.on('error', this.fail);
    this.input.on('end', this.end);
    this.input.on('close', this.end);
    if (this.input.readableEnded || this.input.destroyed) setImmediate(this.end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.closed) throw new Error('the connection is closed');
    try {
      await this.write(`${JSON.stringify(message)}\n`);
    } catch (error) {
      // The client no longer reads: for us that is the end of the connection.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      await this.close();
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.input.off('data', this.take);
    this.input.off('error', this.fail);
    this.input.off('end', this.end);
    this.input.off('close', this.end);
    this.input.pause();
    this.onclose?.();
  }

  private readonly take = (chunk: Buffer) => this.reader.push(chunk);
  private readonly fail = (error: Error) => this.onerror?.(error);
  private readonly end = () => void this.close();

  private read(line: Buffer): void {
    const read = messageOf(line);
    if (read === null) return;
    if ('code' in read) this.refuse(read.code, read.say, read.id);
    else this.onmessage?.(read.message);
  }

  /** The schema of MCP lets an error go without an id where none could be read; null would not pass it. */
  private refuse(code: number, message: string, id?: string | number): void {
    this.onerror?.(new Error(message));
    void this.send({
      jsonrpc: '2.0',
      ...(id === undefined ? {} : { id }),
      error: { code, message },
    } as JSONRPCMessage);
  }
}
