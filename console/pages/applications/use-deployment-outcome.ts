import { useEffect, useRef } from 'react'
import { toast } from 'sonner'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { isDeploying } from '../../areas/applications/application-status.ts'
import { useMaskedText } from '../../lib/address.tsx'
import { navigateTo } from '../../lib/navigate.tsx'
import { deploymentPagePath } from '../../paths.ts'

/** Says how a deployment ended, wherever on the application one is. */
export function useDeploymentOutcome(application: ApplicationDetails) {
  const { id, name, address, deployment } = application
  const running = deployment !== null && isDeploying(application) ? deployment.id : undefined
  const mask = useMaskedText()
  const host = address === null ? '' : mask(new URL(address).host)
  const watched = useRef<string>(undefined)
  useEffect(() => {
    if (running !== undefined) watched.current = running
    if (running !== undefined || deployment?.id !== watched.current) return
    watched.current = undefined
    if (deployment?.type === 'stop_application') return
    if (deployment?.status === 'completed') announce(name, address, host)
    if (deployment?.status === 'failed') {
      const page = deploymentPagePath(id, deployment.id)
      toast.error(`Deployment of ${name} failed`, {
        duration: 10_000,
        action: { label: 'View', onClick: () => navigateTo(page) },
      })
    }
  }, [running, deployment, id, name, address, host])
}

function announce(name: string, address: string | null, host: string) {
  if (address === null) {
    toast.success(`${name} deployed`)
    return
  }
  toast.success(`${name} deployed`, {
    description: host,
    duration: 10_000,
    action: { label: 'Visit', onClick: () => window.open(address, '_blank', 'noopener') },
  })
}
