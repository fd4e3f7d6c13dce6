/**
 * What to paste into an MCP client so that it starts Countersign: one description, each client's own file
 * and form. A token is only ever named (a variable, a prompt, a file), never written into a settings file.
 */

export const MCP_CLIENTS = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'generic'] as const;
export type McpClient = (typeof MCP_CLIENTS)[number];

export interface McpLaunch {
  readonly command: string;
  readonly args: readonly string[];
  /** An agent with a token of its own; null: the built-in `local`. */
  readonly agent: string | null;
}

export interface McpSettings {
  /** Where it goes. */
  readonly file: string;
  readonly settings: object;
  /** What else is to be done, a sentence each. */
  readonly notes: readonly string[];
}

/** The variable that holds an agent's token, and the one that names a file with it. */
export const TOKEN_VARIABLE = 'COUNTERSIGN_TOKEN';
export const TOKEN_FILE_VARIABLE = 'COUNTERSIGN_TOKEN_FILE';

const envOf = (agent: string | null, name: string, value: string) =>
  agent === null ? {} : { env: { [name]: value } };

const exported = (agent: string | null) =>
  agent === null
    ? []
    : [`Put the token of “${agent}” into the variable ${TOKEN_VARIABLE} of the program’s environment.`];

const inFile = (agent: string | null) =>
  agent === null ? [] : [`Write the token of “${agent}” into that file and keep it to yourself (chmod 600).`];

const TOKEN_FILE = '/path/to/token';

type Made = (launch: McpLaunch) => McpSettings;

const MADE: Readonly<Record<McpClient, Made>> = {
  'claude-code': ({ command, args, agent }) => ({
    file: '.mcp.json in the project’s folder',
    // Claude Code puts variables of its own environment in.
    settings: {
      mcpServers: {
        countersign: { command, args, ...envOf(agent, TOKEN_VARIABLE, `\${${TOKEN_VARIABLE}}`) },
      },
    },
    notes: exported(agent),
  }),
  'claude-desktop': ({ command, args, agent }) => ({
    file: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
    // It puts no variables in, so that only a file keeps the token out of the settings.
    settings: {
      mcpServers: { countersign: { command, args, ...envOf(agent, TOKEN_FILE_VARIABLE, TOKEN_FILE) } },
    },
    notes: [...inFile(agent), 'Start Claude Desktop again.'],
  }),
  cursor: ({ command, args, agent }) => ({
    file: '.cursor/mcp.json in the project’s folder, or ~/.cursor/mcp.json',
    settings: {
      mcpServers: {
        countersign: { command, args, ...envOf(agent, TOKEN_VARIABLE, `\${env:${TOKEN_VARIABLE}}`) },
      },
    },
    notes: exported(agent),
  }),
  vscode: ({ command, args, agent }) => ({
    file: '.vscode/mcp.json in the workspace',
    settings: {
      ...(agent === null
        ? {}
        : {
            inputs: [
              {
                id: 'countersign-token',
                type: 'promptString',
                description: `Countersign token of ${agent}`,
                password: true,
              },
            ],
          }),
      servers: {
        countersign: {
          type: 'stdio',
          command,
          args,
          ...envOf(agent, TOKEN_VARIABLE, `\${input:countersign-token}`),
        },
      },
    },
    notes: agent === null ? [] : ['VS Code asks for the token once and keeps it in its secret storage.'],
  }),
  generic: ({ command, args, agent }) => ({
    file: 'your client’s settings for MCP servers over stdio',
    settings: {
      mcpServers: { countersign: { command, args, ...envOf(agent, TOKEN_FILE_VARIABLE, TOKEN_FILE) } },
    },
    notes: inFile(agent),
  }),
};

export function mcpSettingsFor(client: McpClient, launch: McpLaunch): McpSettings {
  return MADE[client](launch);
}
