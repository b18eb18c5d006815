import { Notice } from '../../ui/notice.tsx'
import { AuthoriseKey } from './authorise-key.tsx'
import { ConfirmHostKey } from './confirm-host-key.tsx'
import { isUnmade } from './creation-words.ts'
import type { Server } from './queries.ts'
import { SetUp } from './set-up.tsx'

/** What is left to do before a server that was added by its address can be set up. */
export function NextStep({ server }: { server: Server }) {
  const { id, name, kind, reason, offered_host_key: offered } = server
  if (isUnmade(server) && offered) return <ConfirmHostKey server={server} offered={offered} />
  if (server.status !== 'pending') return null
  if (kind === 'local')
    return (
      <Notice tone="yellow" title={`${name} is not set up yet`} action={<SetUp id={id}>Set up</SetUp>}>
        {reason}
      </Notice>
    )
  if (offered) return <ConfirmHostKey server={server} offered={offered} />
  return <AuthoriseKey server={server} />
}
