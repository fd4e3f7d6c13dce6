/**
 * Every size, count and time limit that both sides of the link know. Not for limits of one door or of
 * one tool (those stand in the tool's declaration). Exceeding one is a coded error on that message or
 * call, never a crash.
 */

/** The wire version. Host and companion must state exactly this number (protocol.md, "The link"). */
export const PROTOCOL_VERSION = 1;

export const LIMITS = {
  /** One message on the socket, bytes of UTF-8. A 4,000-node snapshot is about 1 MB. */
  messageBytes: 8 * 1024 * 1024,
  /** One payload, bytes of UTF-8: the longest text that may be typed, and what the owner was shown. */
  payloadBytes: 256 * 1024,
  /** Text typed by one call, UTF-16 code units. */
  typedText: 32_000,
  /** The outcome kept in a record, bytes of UTF-8. */
  reportBytes: 16 * 1024,
  /** Nesting of any JSON on the wire. */
  jsonDepth: 24,
  /** Nodes of one snapshot; more are cut, with a note. */
  snapshotNodes: 6_000,
  /** Depth of one window's tree; deeper nodes are cut, with a note. */
  snapshotDepth: 160,
  /** One text of a node, UTF-16 code units; longer ones are cut, with a note. */
  nodeText: 10_000,
  /** Windows of one snapshot. */
  windows: 32,
  /** Ids of one status question. */
  statusIds: 512,
  /** Records that wait behind a running action. */
  acceptedQueue: 32,
  /** Records a ledger keeps before the oldest final ones go. */
  ledgerRecords: 100_000,
  /**
   * A journal's length before it is written anew, and before the oldest final records go where that does not
   * help. A full ledger whose host has stored everything needs at most 38 MiB.
   */
  journalBytes: 48 * 1024 * 1024,
  /** Longest time one action may run on the phone, milliseconds. */
  runLimitMs: 60_000,
} as const;

/** Heartbeats: sent this often, and a peer silent for this long is declared gone. Milliseconds. */
export const HEARTBEAT = { everyMs: 5_000, goneAfterMs: 15_000 } as const;
