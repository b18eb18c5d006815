import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { KeyCommand } from './setup/authorize-key.tsx'
import { type Server, serverKeyQuery } from './queries.ts'

export function KeyCard({ server: { id, user } }: { server: Server }) {
  const { data: key, isError } = useQuery(serverKeyQuery(id))
  return (
    <Card title="SSH key" description="The public key that Slipway uses to log in to this server.">
      <div className="flex flex-col gap-4">
        {key && <CodeBlock label="Copy the public key">{key.public_key}</CodeBlock>}
        {!key && !isError && <Skeleton className="h-9 w-full rounded-md!" />}
        <div className="flex flex-col gap-1.5">
          <p className="text-sm text-muted">
            To add it, run this on the server as <span className="font-mono">{user}</span>:
          </p>
          <KeyCommand id={id} />
        </div>
      </div>
    </Card>
  )
}
