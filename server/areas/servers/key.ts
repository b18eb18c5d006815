import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import { quoteForShell } from '../../remote/command.ts'
import { keyFingerprint } from '../../remote/ssh/key-pair.ts'
import type { Actor } from '../../route.ts'
import { getServerRow } from './server.ts'

export async function getServerKey(ctx: Context, actor: Actor, id: Id<'server'>) {
  const { public_key: publicKey, name } = await getServerRow(ctx, actor, id)
  if (publicKey === null)
    throw conflict(
      'no_key',
      `The server ${name} is the machine that Slipway runs on. It is used without SSH, so it has no key.`,
    )
  return { public_key: publicKey, fingerprint: keyFingerprint(publicKey), command: authorising(publicKey) }
}

/** Returns an idempotent shell command that appends the key, also to a file without a final newline. */
function authorising(publicKey: string): string {
  const [key, file] = [quoteForShell([publicKey]), '~/.ssh/authorized_keys']
  const add = `{ grep -qsF ${key} ${file} || printf '\\n%s\\n' ${key} >> ${file}; }`
  return `( umask 077; mkdir -p ~/.ssh && ${add} && chmod 700 ~/.ssh && chmod 600 ${file} )`
}
