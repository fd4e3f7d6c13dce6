/**
 * The server that the official conformance suite expects to find: tools, prompts and resources with the
 * names and texts of its scenarios. It stands behind the product's own HTTP door, so that passing says
 * something of that door and of the SDK, and nothing of our tools.
 */
import {
  acceptedContent,
  type CallToolResult,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequest,
  inputRequired,
  inputResponse,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** One red pixel, and a tenth of a second of silence. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = wave();

function wave(): string {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + 800, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(8_000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(800, 40);
  return Buffer.concat([header, Buffer.alloc(800, 0x80)]).toString('base64');
}

const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
type Capabilities = { elicitation?: object; sampling?: object; roots?: object };

/** What the client of this request declared. */
const capabilitiesOf = (ctx: ServerContext): Capabilities =>
  ((ctx.mcpReq.envelope as Record<string, unknown> | undefined)?.[CAPABILITIES] ?? {}) as Capabilities;

const askFor = (message: string, field: string, type: 'string' | 'boolean'): InputRequest =>
  inputRequired.elicit({
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
  } as Parameters<typeof inputRequired.elicit>[0]);

const askModel = (said: string, maxTokens: number): InputRequest =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: said } }],
    maxTokens,
  });

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export interface Changed {
  tools(): void;
  prompts(): void;
}

const codec = createRequestStateCodec<{ step: number }>({ key: Buffer.alloc(32, 7) });

/** `changed` publishes to clients that listen. */
export function fixtureServer(changed: Changed): McpServer {
  const server = new McpServer(
    { name: 'countersign-conformance-fixtures', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: codec.verify },
    },
  );
  contentTools(server);
  talkingTools(server);
  askingTools(server);
  server.registerTool(
    'test_trigger_tool_change',
    { description: 'Says that the tools changed.' },
    async () => {
      changed.tools();
      return text('Told.');
    },
  );
  server.registerTool(
    'test_trigger_prompt_change',
    { description: 'Says that the prompts changed.' },
    async () => {
      changed.prompts();
      return text('Told.');
    },
  );
  prompts(server);
  resources(server);
  return server;
}

function contentTools(server: McpServer): void {
  const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
  const answers: Record<string, CallToolResult> = {
    test_simple_text: text('This is a simple text response for testing.'),
    test_image_content: { content: [image] },
    test_audio_content: { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] },
    test_embedded_resource: {
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    },
    test_multiple_content_types: {
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: JSON.stringify({ test: 'data', value: 123 }),
          },
        },
      ],
    },
    test_error_handling: { ...text('This tool intentionally returns an error for testing'), isError: true },
  };
  for (const [name, answer] of Object.entries(answers)) {
    server.registerTool(name, { description: `Answers as ${name} should.` }, async () => answer);
  }
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Tool with JSON Schema 2020-12 features',
      inputSchema: fromJsonSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      }),
    },
    async () => text('Read.'),
  );
}

function talkingTools(server: McpServer): void {
  server.registerTool('test_tool_with_logging', { description: 'Logs three lines.' }, async (ctx) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await ctx.mcpReq.log('info', line);
      await pause(50);
    }
    return text('Logged three lines.');
  });
  server.registerTool('test_logging_tool', { description: 'Logs one line if asked to.' }, async (ctx) => {
    await ctx.mcpReq.log('info', 'One line');
    return text('Logged, if it was asked for.');
  });
  server.registerTool('test_tool_with_progress', { description: 'Reports progress.' }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress, total: 100 };
        await ctx.mcpReq.notify({ method: 'notifications/progress', params });
      }
      await pause(50);
    }
    return text('Went through.');
  });
  server.registerTool(
    'test_sampling',
    { description: 'Asks the client’s model.', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, ctx) => {
      const answer = await ctx.mcpReq.requestSampling({
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      });
      const content = Array.isArray(answer.content) ? answer.content[0] : answer.content;
      return text(`LLM response: ${content?.type === 'text' ? content.text : ''}`);
    },
  );
  const elicit = async (ctx: ServerContext, message: string, properties: object, required: string[]) =>
    ctx.mcpReq.elicitInput({
      mode: 'form',
      message,
      requestedSchema: { type: 'object', properties, required },
    } as Parameters<ServerContext['mcpReq']['elicitInput']>[0]);
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the person.', inputSchema: z.object({ message: z.string() }) },
    async ({ message }, ctx) => {
      const answer = await elicit(
        ctx,
        message,
        {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        },
        ['username', 'email'],
      );
      return text(
        `User response: action: ${answer.action}, content: ${JSON.stringify(answer.content ?? {})}`,
      );
    },
  );
  const forms: Record<string, object> = {
    test_elicitation_sep1034_defaults: {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
    test_elicitation_sep1330_enums: {
      untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
      titledSingle: {
        type: 'string',
        oneOf: [
          { const: 'value1', title: 'First Option' },
          { const: 'value2', title: 'Second Option' },
          { const: 'value3', title: 'Third Option' },
        ],
      },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
      titledMulti: {
        type: 'array',
        items: {
          anyOf: [
            { const: 'value1', title: 'First Choice' },
            { const: 'value2', title: 'Second Choice' },
            { const: 'value3', title: 'Third Choice' },
          ],
        },
      },
    },
  };
  for (const [name, properties] of Object.entries(forms)) {
    server.registerTool(name, { description: 'Asks the person with a form.' }, async (ctx) => {
      const answer = await elicit(ctx, 'Please fill in the form', properties, []);
      const content = JSON.stringify(answer.content ?? {});
      return text(`Elicitation completed: action=${answer.action}, content=${content}`);
    });
  }
}

/** Tools that need input of the client before they can answer (2026-07-28). */
function askingTools(server: McpServer): void {
  const nameIsAsked = { user_name: askFor('What is your name?', 'name', 'string') };
  const named = z.object({ name: z.string() });

  server.registerTool('test_missing_capability', { description: 'Needs sampling.' }, async (ctx) => {
    if (capabilitiesOf(ctx).sampling === undefined) {
      return inputRequired({ inputRequests: { needed: askModel('Anything', 10) } });
    }
    return text('The capability is there.');
  });
  server.registerTool('test_streaming_elicitation', { description: 'Asks.' }, async (ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'user_name', named);
    return answer === undefined
      ? inputRequired({ inputRequests: nameIsAsked })
      : text(`Hello, ${answer.name}!`);
  });
  server.registerTool('test_input_required_result_elicitation', { description: 'Asks.' }, async (ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'user_name', named);
    return answer === undefined
      ? inputRequired({ inputRequests: nameIsAsked })
      : text(`Hello, ${answer.name}!`);
  });
  server.registerTool(
    'test_input_required_result_sampling',
    { description: 'Asks the model.' },
    async (ctx) => {
      const answer = inputResponse(ctx.mcpReq.inputResponses, 'capital_question');
      if (answer.kind !== 'sampling') {
        return inputRequired({
          inputRequests: { capital_question: askModel('What is the capital of France?', 100) },
        });
      }
      const content = Array.isArray(answer.result.content) ? answer.result.content[0] : answer.result.content;
      return text(content?.type === 'text' ? content.text : '');
    },
  );
  server.registerTool(
    'test_input_required_result_list_roots',
    { description: 'Asks for roots.' },
    async (ctx) => {
      const answer = inputResponse(ctx.mcpReq.inputResponses, 'client_roots');
      return answer.kind === 'roots'
        ? text(`Roots: ${answer.roots.map((root) => root.uri).join(', ')}`)
        : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    },
  );
  for (const name of [
    'test_input_required_result_request_state',
    'test_input_required_result_tampered_state',
  ]) {
    server.registerTool(name, { description: 'Keeps a state with the client.' }, async (ctx) => {
      const state = ctx.mcpReq.requestState<{ step: number }>();
      const answer = inputResponse(ctx.mcpReq.inputResponses, 'confirm');
      if (state?.step === 1 && answer.kind === 'elicit') return text('state-ok');
      return inputRequired({
        inputRequests: { confirm: askFor('Please confirm', 'ok', 'boolean') },
        requestState: await codec.mint({ step: 1 }),
      });
    });
  }
  server.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'Asks for three things.' },
    async (ctx) => {
      const { inputResponses } = ctx.mcpReq;
      const name = inputResponse(inputResponses, 'user_name');
      const greeting = inputResponse(inputResponses, 'greeting');
      const roots = inputResponse(inputResponses, 'client_roots');
      if (name.kind === 'elicit' && greeting.kind === 'sampling' && roots.kind === 'roots') {
        return text('All three are there.');
      }
      return inputRequired({
        inputRequests: {
          ...nameIsAsked,
          greeting: askModel('Generate a greeting', 50),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await codec.mint({ step: 1 }),
      });
    },
  );
  server.registerTool(
    'test_input_required_result_multi_round',
    { description: 'Asks twice.' },
    async (ctx) => {
      const step = ctx.mcpReq.requestState<{ step: number }>()?.step ?? 0;
      const { inputResponses } = ctx.mcpReq;
      if (step === 2 && inputResponse(inputResponses, 'step2').kind === 'elicit')
        return text('Both are there.');
      if (step === 1 && inputResponse(inputResponses, 'step1').kind === 'elicit') {
        return inputRequired({
          inputRequests: { step2: askFor('Step 2: What is your favorite color?', 'color', 'string') },
          requestState: await codec.mint({ step: 2 }),
        });
      }
      return inputRequired({
        inputRequests: { step1: askFor('Step 1: What is your name?', 'name', 'string') },
        requestState: await codec.mint({ step: 1 }),
      });
    },
  );
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks only for what the client can do.' },
    async (ctx) => {
      const can = capabilitiesOf(ctx);
      const inputRequests = {
        ...(can.elicitation === undefined ? {} : nameIsAsked),
        ...(can.sampling === undefined ? {} : { greeting: askModel('Generate a greeting', 50) }),
        ...(can.roots === undefined ? {} : { client_roots: inputRequired.listRoots() }),
      };
      return Object.keys(inputRequests).length === 0
        ? text('This client can do nothing that I could ask for.')
        : inputRequired({ inputRequests });
    },
  );
}

function prompts(server: McpServer): void {
  const said = (line: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: line } });
  server.registerPrompt('test_simple_prompt', { description: 'A simple prompt.' }, async () => ({
    messages: [said('This is a simple prompt for testing.')],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'A prompt with two arguments.',
      argsSchema: z.object({
        arg1: completable(z.string().describe('First test argument'), (start) =>
          ['paris', 'park', 'party'].filter((one) => one.startsWith(start)),
        ),
        arg2: z.string().describe('Second test argument'),
      }),
    },
    async ({ arg1, arg2 }) => ({
      messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'A prompt around a resource.',
      argsSchema: z.object({ resourceUri: z.string().describe('URI of the resource to embed') }),
    },
    async ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: {
              uri: resourceUri,
              mimeType: 'text/plain',
              text: 'Embedded resource content for testing.',
            },
          },
        },
        said('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'A prompt with an image.' }, async () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      said('Please analyze the image above.'),
    ],
  }));
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'A prompt that asks first.' },
    async (ctx) => {
      const answer = acceptedContent(
        ctx.mcpReq.inputResponses,
        'user_context',
        z.object({ context: z.string() }),
      );
      return answer === undefined
        ? inputRequired({
            inputRequests: {
              user_context: askFor('What context should the prompt use?', 'context', 'string'),
            },
          })
        : { messages: [said(`Context: ${answer.context}`)] };
    },
  );
}

function resources(server: McpServer): void {
  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'A text.', mimeType: 'text/plain' },
    async (uri) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'text/plain',
          text: 'This is the content of the static text resource.',
        },
      ],
    }),
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'A picture.', mimeType: 'image/png' },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: 'image/png', blob: PNG }] }),
  );
  server.registerResource(
    'watched',
    'test://watched-resource',
    { description: 'A text that may change.', mimeType: 'text/plain' },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Watched.' }] }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data by id.', mimeType: 'application/json' },
    async (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  // Sessions of 2025 subscribe one by one; here it is enough to remember.
  const watched = new Set<string>();
  server.server.setRequestHandler('resources/subscribe', async (request) => {
    watched.add(request.params.uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', async (request) => {
    if (!watched.delete(request.params.uri)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This was not subscribed.');
    }
    return {};
  });
}
