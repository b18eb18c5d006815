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

/** Output of containers and builds may contain secrets, and others can read the channel. */
export async function maskSecrets(
  ctx: Context,
  trx: Trx,
  of: MaskScope,
  telling: RenderedMessage,
): Promise<RenderedMessage> {
  const mask = createSecretMask()
  const release = of.release_id ? await findRelease(trx, of.workspace_id, of.release_id) : undefined
  await addApplicationSecrets(ctx, trx, of, mask, release)
  // Remove control sequences first, because they may split a secret.
  const hide = (text: string) => mask.hide(toPlainText(text))
  return {
    ...telling,
    text: hide(telling.text),
    facts: telling.facts.map(({ label, value }) => ({ label, value: hide(value) })),
    lines: telling.lines.map(hide),
  }
}
