/** The options of `start` about where it listens: the owner's console and MCP over HTTP. */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Tier } from '../../../device-protocol/tools/declare.ts';
import type { HostOptions, McpHttpWishes } from '../../composition.ts';
import { CannotRun } from './terminal.ts';

export interface NetworkWishes {
  readonly consolePort?: number;
  readonly mcpHttp: boolean;
  readonly mcpPort?: number;
  readonly mcpAddress?: string;
  readonly mcpCert?: string;
  readonly mcpKey?: string;
  readonly mcpName?: readonly string[];
  readonly mcpTools?: Tier;
}

function port(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0 || number > 65_535)
    throw new InvalidArgumentError('Give a port, 0 to 65535 (0: any free one).');
  return number;
}

const another = (name: string, before: readonly string[] = []) => [...before, name];

export function withNetworkOptions(command: Command): Command {
  return command
    .option('--console-port <port>', 'where the owner’s page is served on this computer', port)
    .option('--no-mcp-http', 'serve MCP on stdio only')
    .option('--mcp-port <port>', 'where MCP over HTTP is served', port)
    .option('--mcp-address <address>', 'beyond this computer only with --mcp-cert and --mcp-key')
    .option('--mcp-cert <file>', 'certificate for MCP over HTTP, PEM')
    .option('--mcp-key <file>', 'its key, PEM')
    .option('--mcp-name <name>', 'a name under which clients reach it; may be given again', another)
    .addOption(
      new Option('--mcp-tools <tier>', 'how many tools are listed over HTTP').choices([
        'core',
        'standard',
        'all',
      ]),
    );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new CannotRun('file_unreadable', `${path} cannot be read (${code}).`);
  }
}

/** What composition is asked for. */
export function networkOf(wishes: NetworkWishes): Pick<HostOptions, 'consolePort' | 'mcpHttp'> {
  const { mcpCert, mcpKey, mcpPort, mcpAddress, mcpName, mcpTools } = wishes;
  if ((mcpCert === undefined) !== (mcpKey === undefined)) {
    throw new CannotRun('certificate_half', 'Give --mcp-cert and --mcp-key together.');
  }
  const http: McpHttpWishes = {
    ...(mcpPort === undefined ? {} : { port: mcpPort }),
    ...(mcpAddress === undefined ? {} : { address: mcpAddress }),
    ...(mcpCert === undefined || mcpKey === undefined
      ? {}
      : { tls: { cert: textOf(mcpCert), key: textOf(mcpKey) } }),
    ...(mcpName === undefined ? {} : { names: mcpName }),
    ...(mcpTools === undefined ? {} : { tier: mcpTools }),
  };
  return {
    ...(wishes.consolePort === undefined ? {} : { consolePort: wishes.consolePort }),
    ...(wishes.mcpHttp ? { mcpHttp: http } : {}),
  };
}
