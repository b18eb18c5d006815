import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { ChangeList } from './change-list.tsx'
import { releasesQuery } from './queries.ts'

interface ChangesDialogProps {
  application: { id: string; release: { number: number; older: boolean } | null }
  /** Otherwise the one that runs. */
  releaseId?: string
  /** What deploying it would do, and the button for it. Without it one may not. */
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
        title={number === undefined ? 'From this release to now' : `From release ${number} to now`}
        description="How what is configured now differs from what that release ran with."
      >
        <ChangeList applicationId={id} from={releaseId} />
      </Dialog>
    )
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={
        release?.older
          ? `From release ${release.number} to what is configured`
          : 'Changed since the last deployment'
      }
      description="How what is configured differs from what runs. It takes effect with the next deployment."
    >
      <ChangeList applicationId={id} />
      {plan}
    </Dialog>
  )
}
