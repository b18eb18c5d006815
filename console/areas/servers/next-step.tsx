import { AuthoriseKey } from './authorise-key.tsx'
import { ConfirmHostKey } from './confirm-host-key.tsx'
import type { Server } from './queries.ts'

/** What is left to do before a server that was added by its address can be set up. */
export function NextStep({ server }: { server: Server }) {
  if (server.status !== 'pending') return null
  const { offered_host_key: offered } = server
  if (offered) return <ConfirmHostKey server={server} offered={offered} />
  return <AuthoriseKey server={server} />
}
