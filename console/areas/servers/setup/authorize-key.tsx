import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CodeBlock } from '../../../ui/code.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useConnectServer } from '../mutations.ts'
import { type Server, serverKeyQuery } from '../queries.ts'

export function AuthorizeKey({
  server: { id, name, user, reason, host_key: confirmed },
}: {
  server: Server
}) {
  const connect = useConnectServer(id)
  return (
    <Card
      title={`Connect ${name}`}
      description="Slipway uses a separate SSH key for every server. The private key never leaves this installation."
      footer={
        <>
          <span aria-live="polite" className={connect.isError || confirmed ? 'text-red-ink' : undefined}>
            {connect.error?.message ?? reason}
          </span>
          <Button
            variant="primary"
            pending={connect.isPending && 'Connecting…'}
            onClick={() => connect.mutate()}
          >
            Connect
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-1.5">
        <p className="text-sm">
          Run this on the server as <span className="font-mono">{user}</span>:
        </p>
        <KeyCommand id={id} />
      </div>
    </Card>
  )
}

export function KeyCommand({ id }: { id: string }) {
  const { data: key, error } = useQuery(serverKeyQuery(id))
  if (error) return <p className="text-sm text-red-ink">{error.message}</p>
  if (!key) return <Skeleton className="h-18 w-full rounded-md!" />
  return <CodeBlock label="Copy the command that adds the key">{key.command}</CodeBlock>
}
