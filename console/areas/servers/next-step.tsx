import { Notice } from '../../ui/notice.tsx'
import { AuthorizeKey } from './setup/authorize-key.tsx'
import { hasFailedCreation } from './creation/creation-steps.ts'
import type { Server } from './queries.ts'
import { SetUpButton } from './setup/set-up-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useTrustHostKey } from './mutations.ts'
import { HostKeyFacts } from './host-key-facts.tsx'

export function NextStep({ server }: { server: Server }) {
  const { id, name, kind, reason, offered_host_key: offered } = server
  if (hasFailedCreation(server) && offered) return <ConfirmHostKey server={server} offered={offered} />
  if (server.status !== 'pending') return null
  if (kind === 'local')
    return (
      <Notice
        tone="yellow"
        title={`${name} is not set up yet`}
        action={<SetUpButton id={id}>Set up</SetUpButton>}
      >
        {reason}
      </Notice>
    )
  if (offered) return <ConfirmHostKey server={server} offered={offered} />
  return <AuthorizeKey server={server} />
}

interface ConfirmHostKeyProps {
  server: Server
  offered: NonNullable<Server['offered_host_key']>
}

function ConfirmHostKey({ server: { id, name }, offered }: ConfirmHostKeyProps) {
  const trust = useTrustHostKey(id)
  return (
    <Card
      title={`Is this the host key of ${name}?`}
      description="The host key identifies your machine. After you confirm it, no other key is accepted."
      footer={
        <>
          <span aria-live="polite" className={trust.isError ? 'text-red-ink' : undefined}>
            {trust.error?.message ?? 'Setup then installs Docker, Compose, git and the proxy.'}
          </span>
          <Button
            variant="primary"
            pending={trust.isPending && 'Connecting…'}
            onClick={() => trust.mutate(offered.fingerprint)}
          >
            Confirm host key
          </Button>
        </>
      }
    >
      <HostKeyFacts offered={offered} />
    </Card>
  )
}
