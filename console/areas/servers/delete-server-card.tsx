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
          ? `Removes the server from Slipway and, if you choose so, destroys it at ${cloud.provider_name}. Otherwise its containers keep running.`
          : 'Removes the server from Slipway. Nothing is stopped on the machine: its containers keep running.'}
      </p>
    </Card>
  )
}
