import { Card } from '../../ui/card.tsx'
import { DeleteServerButton } from './delete-server-dialog.tsx'
import type { Server } from './queries.ts'

export function DeleteServerCard({ server: { cloud } }: { server: Server }) {
  return (
    <Card
      title="Delete the server"
      footer={
        <>
          You will be asked to type its name.
          <DeleteServerButton>Delete server</DeleteServerButton>
        </>
      }
    >
      <p className="text-muted">
        {cloud
          ? `Slipway forgets it, and destroys it at ${cloud.provider_name} if you choose so. Else what runs there goes on running.`
          : 'Slipway forgets it. Nothing is stopped or removed on the machine: what runs there goes on running.'}
      </p>
    </Card>
  )
}
