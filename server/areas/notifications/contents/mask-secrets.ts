import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { toPlainText } from '../../../platform/text/plain-text.ts'
import type { Trx } from '../../../tables.ts'
import { addApplicationSecrets } from '../../alerts/application-secrets.ts'
import { createSecretMask } from '../../alerts/secret-mask.ts'
import { findRelease } from '../../applications/release.ts'
import type { RenderedMessage } from '../rendered-message.ts'

interface MaskScope {
  workspace_id: Id<'workspace'>
  application_id: Id<'application'> | null
  release_id?: Id<'release'> | null
}

/** Without the secrets of its application: what containers and builds say may hold them, and a channel is read elsewhere. */
export async function maskSecrets(
  ctx: Context,
  trx: Trx,
  of: MaskScope,
  telling: RenderedMessage,
): Promise<RenderedMessage> {
  const mask = createSecretMask()
  const release = of.release_id ? await findRelease(trx, of.workspace_id, of.release_id) : undefined
  await addApplicationSecrets(ctx, trx, of, mask, release)
  // What a terminal obeys may stand in the middle of one.
  const hide = (text: string) => mask.hide(toPlainText(text))
  return {
    ...telling,
    text: hide(telling.text),
    facts: telling.facts.map(({ label, value }) => ({ label, value: hide(value) })),
    lines: telling.lines.map(hide),
  }
}
