import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useTrustHostKey } from './changes.ts'
import { HostKeyFacts } from './host-key-facts.tsx'
import type { Server } from './queries.ts'

interface ConfirmHostKeyProps {
  server: Server
  offered: NonNullable<Server['offered_host_key']>
}

/** The first time that a server shows its key: a person says that it is the right machine. */
export function ConfirmHostKey({ server: { id, name }, offered }: ConfirmHostKeyProps) {
  const trust = useTrustHostKey(id)
  return (
    <Card
      title={`Is this the host key of ${name}?`}
      description="It proves that Slipway speaks with your machine and nobody in between. From now on no other key is accepted."
      footer={
        <>
          <span aria-live="polite" className={trust.isError ? 'text-red-ink' : undefined}>
            {trust.error?.message ?? 'Then the server is set up: Docker, compose, git and the proxy.'}
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
