import { Ban, CircleX, LoaderCircle, type LucideIcon, Play, RotateCw, Square, Undo2 } from 'lucide-react'
import { dialogLink, dialogOpenedState } from '../../lib/use-dialog.ts'
import { clockTime } from '../../ui/chart/chart-time.ts'
import type { ChartMarker } from '../../ui/chart/group-markers.ts'
import { deploymentStatusLabel } from './deployment-labels.ts'
import type { Deployment } from './queries.ts'

/** Returns chart markers, which open the deployment dialog and keep the other parameters of the page. */
export const deploymentMarkers = (
  deployments: readonly Deployment[],
  params: URLSearchParams,
): ChartMarker[] =>
  deployments.flatMap((deployment) => {
    const { id, status, release, actor, type } = deployment
    const time = findEffectTime(deployment)
    if (time === null) return []
    const at = Date.parse(time) / 1000
    const kind = kinds[type]
    const label = release ? `${kind ? `${kind.label}, release` : 'Release'} ${release.number}` : undefined
    return {
      id,
      at,
      flag: release ? String(release.number) : '',
      Icon: looks[status]?.Icon ?? kind?.Icon,
      tone: looks[status]?.tone ?? 'neutral',
      title: `${label ?? kind?.label ?? 'Deployment'} · ${deploymentStatusLabel(deployment)}`,
      detail: `${actor.name} · ${clockTime(at)}`,
      to: dialogLink(params, id, 'deploymentId'),
      state: dialogOpenedState,
    }
  })

/** Returns the time of the traffic switch, or else of the end or start of the deployment; null while it is queued. */
function findEffectTime({ steps, finished_at, started_at }: Deployment): string | null {
  const switched = steps.find(({ name, status }) => name === 'switch' && status === 'completed')
  return switched?.finished_at ?? finished_at ?? started_at
}

const kinds: Partial<Record<string, { label: string; Icon: LucideIcon }>> = {
  rollback_application: { label: 'Rollback', Icon: Undo2 },
  restart_application: { label: 'Restart', Icon: RotateCw },
  start_application: { label: 'Start', Icon: Play },
  stop_application: { label: 'Stop', Icon: Square },
}

const looks: Partial<Record<string, { tone: ChartMarker['tone']; Icon: LucideIcon }>> = {
  failed: { tone: 'red', Icon: CircleX },
  crashed: { tone: 'red', Icon: CircleX },
  running: { tone: 'yellow', Icon: LoaderCircle },
  cancelled: { tone: 'neutral', Icon: Ban },
}
