import { useState } from 'react'
import { ImportCommand } from '../../areas/imports/import-command.tsx'
import { isWaitingForConnection } from '../../areas/servers/creation/creation-steps.ts'
import { NewServerStatus } from '../../areas/servers/next-step.tsx'
import { DeployLink } from './deploy-link.tsx'
import { useServer } from '../../areas/servers/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

/**
 * Connects a cloud server that Slipway has never reached, by an import command or over SSH. The command is created only
 * when the user asks for it.
 */
export function AuthorizeServer({ id, opened = false }: { id: string; opened?: boolean }) {
  const { data: server } = useServer(id)
  const [way, setWay] = useState<'line' | 'ssh' | undefined>(opened ? 'line' : undefined)
  if (!server) return null
  const { name, status, host_key: confirmed, offered_host_key: offered } = server
  const isNew = status === 'pending' && !confirmed && !offered
  if (!(isNew || isWaitingForConnection(server)) || way === 'ssh')
    return (
      <>
        <NewServerStatus id={id} deployLink={<DeployLink serverId={id} />} />
        {status === 'pending' && way === 'ssh' && (
          <div>
            <Button variant="ghost" onClick={() => setWay('line')}>
              Run a command instead
            </Button>
          </div>
        )}
      </>
    )
  return (
    <Card
      title={`Connect ${name}`}
      description="Run the command on the server as root to add Slipway’s SSH key."
      {...(way === undefined && { action: <Button onClick={() => setWay('line')}>Show command</Button> })}
      footer={
        <>
          Continues automatically when the server connects.
          {isNew && <Button onClick={() => setWay('ssh')}>Use SSH instead</Button>}
        </>
      }
    >
      {way === 'line' && <ImportCommand serverId={id} />}
    </Card>
  )
}
