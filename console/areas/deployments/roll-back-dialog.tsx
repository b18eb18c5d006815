import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useAllPages } from '../../lib/http/paging.ts'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChangeList } from './changes-dialog.tsx'
import { type Release, releasesQuery, useRollBack } from './queries.ts'
import {
  canRollBackTo,
  findLatestLive,
  isDeploymentInProgress,
  queueNotice,
  shortDigest,
} from './deployment-labels.ts'
import { Radio } from '../../ui/form/checkbox.tsx'
import { Time } from '../../ui/time.tsx'
import { ErrorText } from '../../ui/problem.tsx'

interface RollBackDialogProps {
  application: {
    id: string
    name: string
    deployment: { status: string } | null
  }
  releaseId?: string
  onClose: () => void
  onShow: (deploymentId: string) => void
  /** Renders the plan of a compose application above the buttons, which are disabled if there is a reason. */
  renderPlan?:
    | ((releaseId: string, renderButtons: (disabledReason?: string) => ReactNode) => ReactNode)
    | undefined
}

export function RollBackDialog({ application, releaseId, ...props }: RollBackDialogProps) {
  const { onClose, onShow, renderPlan } = props
  const pages = useInfiniteQuery(releasesQuery(application.id))
  const { data: releases, error } = pages
  // The previous release may be on a later page, so load all pages.
  useAllPages(pages, true)
  const [chosen, setChosen] = useState(releaseId)
  const rollBack = useRollBack(application.id)
  const choices = (releases ?? []).filter(canRollBackTo)
  const picked = choices.find(({ id }) => id === chosen) ?? findLatestLive(choices)
  const { deployment } = application

  const renderButtons = (disabledReason?: string) => (
    <>
      {deployment && isDeploymentInProgress(deployment) && (
        <p className="text-sm text-muted">{queueNotice(deployment)}</p>
      )}
      {disabledReason !== undefined && <p className="text-right text-sm text-muted">{disabledReason}</p>}
      <DialogFooter
        disabled={!picked || disabledReason !== undefined}
        pending={rollBack.isPending && 'Rolling back…'}
        onClick={() => picked && rollBack.mutate(picked.id, { onSuccess: ({ id }) => onShow(id) })}
      >
        {picked ? `Roll back to release ${picked.number}` : 'Roll back'}
      </DialogFooter>
    </>
  )

  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={`Roll back ${application.name}`}
      description={`Restores the ${renderPlan ? 'images' : 'image'}, settings and environment of the release. Your current configuration is kept.`}
    >
      {error && !releases && <ErrorText error={error} />}
      {!error && !releases && <Skeleton className="h-24 w-full" />}
      {releases && choices.length === 0 && (
        <p className="rounded-md bg-subtle px-3 py-2.5 text-muted">No earlier releases.</p>
      )}
      {choices.length > 0 && (
        <fieldset className="flex -m-1 max-h-72 shrink-0 flex-col gap-3 overflow-y-auto p-1">
          <legend className="sr-only">Release</legend>
          {choices.map((release) => (
            <ReleaseChoice
              key={release.id}
              release={release}
              checked={release.id === picked?.id}
              onChoose={() => setChosen(release.id)}
              onShow={onShow}
            />
          ))}
        </fieldset>
      )}
      {picked && (
        <section aria-label="Changes to the live release" className="flex flex-col gap-2">
          <h3 className="text-sm font-medium">Changes</h3>
          <ChangeList applicationId={application.id} to={picked.id} />
        </section>
      )}
      {picked && renderPlan ? renderPlan(picked.id, renderButtons) : renderButtons()}
    </Dialog>
  )
}

interface ReleaseChoiceProps {
  release: Release
  checked: boolean
  onChoose: () => void
  onShow: (deploymentId: string) => void
}

function ReleaseChoice({ release, checked, onChoose, onShow }: ReleaseChoiceProps) {
  const {
    number,
    image,
    digest,
    image_id: imageId,
    services,
    live_at: live,
    deployment_id: deploymentId,
    actor,
  } = release
  return (
    <Radio
      name="release"
      checked={checked}
      onChange={onChoose}
      label={`Release ${number}`}
      help={
        <span className="flex flex-col">
          {services === null ? (
            <span className="font-mono break-all" dir="ltr">
              {image}{' '}
              <span title={digest ?? imageId} className="whitespace-nowrap">
                ({shortDigest(digest ?? imageId)})
              </span>
            </span>
          ) : (
            <span className="font-mono break-all" dir="ltr">
              {services.map((service) => `${service.name}: ${service.image}`).join(', ')}
            </span>
          )}
          <span>
            {live !== null && (
              <>
                Last live <Time at={live} />
              </>
            )}
            {deploymentId !== null && actor !== null && (
              <>
                , deployed by{' '}
                <button
                  type="button"
                  onClick={() => onShow(deploymentId)}
                  className="rounded-sm underline hover:text-ink"
                >
                  {actor.name}
                </button>
              </>
            )}
          </span>
        </span>
      }
    />
  )
}
