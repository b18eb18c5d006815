import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useMatch } from 'react-router'
import { toast } from 'sonner'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { isDeploying } from '../../areas/applications/application-status.ts'
import { outcomeTitle, outcomeWord } from '../../areas/deployments/deployment-outcome.ts'
import { deploymentQuery } from '../../areas/deployments/queries.ts'
import { useMaskedText } from '../../lib/address.tsx'
import { showNotification } from '../../lib/browser-notifications.ts'
import { navigateTo } from '../../lib/navigate.tsx'
import { useSettings } from '../../lib/local-settings.ts'
import { deploymentPagePath, paths } from '../../paths.ts'

type Ended = NonNullable<ApplicationDetails['deployment']>

/** Announces how a deployment ended, on every page of its application. Returns the title of the browser tab. */
export function useDeploymentOutcome(application: ApplicationDetails | undefined): string | undefined {
  const ended = useEnded(application)
  const mask = useMaskedText()
  const { notify_deployments: notifies } = useSettings()
  const { pathname, search } = useLocation()
  const { address = null } = application ?? {}
  const name = application?.name ?? ''
  const host = address === null ? '' : mask(new URL(address).host)
  const page = application && ended ? deploymentPagePath(application.id, ended.id) : ''
  const isShown = ended !== undefined && `${pathname}${search}`.includes(ended.id)
  const announced = useRef<Ended>(undefined)
  useEffect(() => {
    if (!ended || announced.current === ended) return
    announced.current = ended
    const word = outcomeWord(ended)
    if (word !== 'Deployed' && word !== 'Failed') return
    if (word === 'Deployed') announceSuccess(name, address, host, isShown)
    // An open deployment already shows its failure.
    else if (!isShown) announceFailure(name, page)
    if (notifies)
      showNotification({
        title: outcomeTitle(word, name),
        body: word === 'Deployed' ? host : 'Open the deployment to see the cause.',
        tag: ended.id,
        onClick: () => navigateTo(page),
      })
  }, [ended, name, address, host, page, isShown, notifies])
  return useOutcomeTitle(application, ended)
}

/** Returns the deployment that has finished since the page was opened. */
function useEnded(application: ApplicationDetails | undefined): Ended | undefined {
  const deployment = application?.deployment ?? undefined
  const running = application && deployment && isDeploying(application) ? deployment.id : undefined
  const [watched, setWatched] = useState(running)
  const [ended, setEnded] = useState<Ended>()
  if (running !== undefined && running !== watched) {
    setWatched(running)
    setEnded(undefined)
  }
  if (running === undefined && deployment && deployment.id === watched && ended?.id !== watched)
    setEnded(deployment)
  return ended
}

/**
 * Shows a toast with a link. It is brief on the deployment itself, which has the same link and may be covered by the
 * toast.
 */
function announceSuccess(name: string, address: string | null, host: string, isShown: boolean) {
  if (address === null) {
    toast.success(`${name} deployed`)
    return
  }
  toast.success(`${name} deployed`, {
    description: host,
    duration: isShown ? 4_000 : 10_000,
    action: { label: 'Visit', onClick: () => window.open(address, '_blank', 'noopener') },
  })
}

const announceFailure = (name: string, page: string) =>
  toast.error(`Deployment of ${name} failed`, {
    duration: 10_000,
    action: { label: 'View', onClick: () => navigateTo(page) },
  })

/**
 * Returns the title. The deployment on this page takes precedence over the one that has just ended; leaving the page
 * clears it.
 */
function useOutcomeTitle(application: ApplicationDetails | undefined, ended: Ended | undefined) {
  const { pathname } = useLocation()
  const id = useMatch(`${paths.applications}/:id/deployments/:deploymentId`)?.params.deploymentId
  const { data: shown } = useQuery({ ...deploymentQuery(id ?? ''), enabled: id !== undefined })
  const [at, setAt] = useState<{ ended: Ended; pathname: string }>()
  if (ended && at?.ended !== ended) setAt({ ended, pathname })
  if (!application) return undefined
  const { name } = application
  const fresh = at?.ended === ended && at?.pathname === pathname ? ended : undefined
  const running = isDeploying(application) ? (application.deployment ?? undefined) : undefined
  const subject = (id === undefined ? undefined : shown) ?? running ?? fresh
  const word = subject && outcomeWord(subject)
  return word === undefined ? name : outcomeTitle(word, name)
}
