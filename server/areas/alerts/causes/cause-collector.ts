import { toSingleLine, truncate } from '../../../platform/text/plain-text.ts'
import type { Cause } from '../incident.ts'
import { createSecretMask, type SecretCollector } from '../secret-mask.ts'
import type { Context } from '../../../context.ts'
import { findServer, type ServerRow } from '../../servers/server.ts'
import type { Subject } from '../observation.ts'

/** Limits keep the cause short enough to read in a chat message. */
const [maxFacts, maxLines, maxCharacters] = [10, 10, 300]

export interface CauseCollector extends SecretCollector {
  fact(label: string, value: string | null | undefined): void
  addLogLines(lines: readonly string[]): void
}

/** Collects facts as they are found, so that a timeout still leaves a partial cause. */
export function createCauseCollector(): CauseCollector & { found(): Cause } {
  const facts = new Map<string, string>()
  const mask = createSecretMask()
  let logLines: readonly string[] = []
  // Mask before truncating, so that no part of a secret remains.
  const shown = (text: string) => truncate(mask.hide(toSingleLine(text)), maxCharacters)
  return {
    fact(label, value) {
      if (value !== null && value !== undefined && value.trim() !== '') facts.set(label, value)
    },
    addLogLines(lines) {
      logLines = lines
    },
    learn: (variables) => mask.learn(variables),
    found: () => ({
      facts: [...facts].slice(0, maxFacts).map(([label, value]) => ({ label, value: shown(value) })),
      lines: logLines
        .map(shown)
        .filter((line) => line !== '')
        .slice(-maxLines),
    }),
  }
}

export const findSubjectServer = async (
  ctx: Context,
  { workspace_id: workspaceId, server_id: id }: Subject,
): Promise<ServerRow | undefined> => (id === null ? undefined : findServer(ctx, workspaceId, id))
