import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { ChangeList } from './change-list.tsx'
import { releasesQuery } from './queries.ts'

interface ChangesDialogProps {
  application: { id: string; release: { number: number; older: boolean } | null }
  /** Defaults to the live release. */
  releaseId?: string
  /** The deployment plan with its button; undefined for users who cannot deploy. */
  plan?: ReactNode
  onClose: () => void
}

export function ChangesDialog({ application, releaseId, ...props }: ChangesDialogProps) {
  const { plan, onClose } = props
  const { id, release } = application
  const { data: releases } = useInfiniteQuery({ ...releasesQuery(id), enabled: releaseId !== undefined })
  const number = releases?.find((one) => one.id === releaseId)?.number
  if (releaseId !== undefined)
    return (
      <Dialog
        open
        wide
        onOpenChange={onClose}
        title={number === undefined ? 'Changes since this release' : `Changes since release ${number}`}
        description="Current configuration compared with this release."
      >
        <ChangeList applicationId={id} from={releaseId} />
      </Dialog>
    )
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={release?.older ? `Changes since release ${release.number}` : 'Undeployed changes'}
      description="Changes since the live release. Deploy to apply them."
    >
      <ChangeList applicationId={id} />
      {plan}
    </Dialog>
  )
}
