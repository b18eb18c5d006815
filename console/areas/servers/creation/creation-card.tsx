import type { ReactNode } from 'react'
import { AddressText } from '../../../lib/address.tsx'
import { Card } from '../../../ui/card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Time } from '../../../ui/time.tsx'
import { creationSteps, isCloudServer, hasFailedCreation, creationProgressText } from './creation-steps.ts'
import type { Server } from '../queries.ts'
import { queuedSetup, listSetupSteps } from '../setup/setup-steps.ts'
import { Steps } from '../setup/setup-progress.tsx'

export function CreationCard({ server, waysOut }: { server: Server; waysOut: ReactNode }) {
  if (!isCloudServer(server) || !(server.status === 'provisioning' || hasFailedCreation(server))) return null
  const { status, reason, cloud, created_at: at } = server
  return (
    <Card
      title={status === 'failed' ? 'Creation failed' : `Creating at ${cloud.provider_name}`}
      description={
        <>
          Requested <Time at={at} />.{status === 'provisioning' && ' You can leave this page.'}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Steps steps={[...creationSteps(server), ...listSetupSteps(queuedSetup)]} />
        {status === 'provisioning' && reason === null && (
          <output className="text-sm text-muted">{creationProgressText(cloud)}</output>
        )}
        {status === 'provisioning' && reason !== null && (
          <Notice tone="yellow" title="Waiting" action={waysOut}>
            <AddressText revealable>{reason}</AddressText>
          </Notice>
        )}
      </div>
    </Card>
  )
}
