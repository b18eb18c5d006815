import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { toPlainText } from '../../../platform/text/plain-text.ts'
import type { Trx } from '../../../tables.ts'
import { learnSecrets } from '../../alerts/learn-secrets.ts'
import { createMask } from '../../alerts/mask.ts'
import { findRelease } from '../../applications/release.ts'
import type { Telling } from '../telling.ts'

interface Named {
  workspace_id: Id<'workspace'>
  application_id: Id<'application'> | null
  release_id?: Id<'release'> | null
}

/** Without the secrets of its application: what containers and builds say may hold them, and a channel is read elsewhere. */
export async function masked(ctx: Context, trx: Trx, of: Named, telling: Telling): Promise<Telling> {
  const mask = createMask()
  const release = of.release_id ? await findRelease(trx, of.workspace_id, of.release_id) : undefined
  await learnSecrets(ctx, trx, of, mask, release)
  // What a terminal obeys may stand in the middle of one.
  const hide = (text: string) => mask.hide(toPlainText(text))
  return {
    ...telling,
    text: hide(telling.text),
    facts: telling.facts.map(({ label, value }) => ({ label, value: hide(value) })),
    lines: telling.lines.map(hide),
  }
}
