import type { Context } from '../../../context.ts'
import type { About } from '../about.ts'
import { learnSecrets } from '../learn-secrets.ts'
import type { Gathering } from './gathering.ts'
import { inUtc } from './in-utc.ts'
import { findCertificate } from './store.ts'

/** Until when it is good, and why no newer one came. */
export async function ofCertificate(ctx: Context, { subject }: About, gathering: Gathering): Promise<void> {
  const { workspace_id: workspaceId, name: host } = subject
  const certificate = await findCertificate(ctx.db, workspaceId, host)
  if (!certificate) return
  const { kind, issuer, expires_at: ends, error, next_try_at: next } = certificate
  gathering.fact('Application', await learnSecrets(ctx, ctx.db, subject, gathering))
  gathering.fact('Ends', ends && inUtc(ends))
  gathering.fact('Issued by', issuer)
  if (kind === 'uploaded') gathering.fact('Renewal', 'It was uploaded, so a newer one has to be uploaded too')
  else {
    gathering.fact('Last renewal failed', error)
    gathering.fact('Next try', next && inUtc(next))
  }
}
