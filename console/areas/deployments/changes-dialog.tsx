import { useInfiniteQuery } from '@tanstack/react-query'
import { Dialog } from '../../ui/dialog.tsx'
import { ChangeList } from './change-list.tsx'
import { releasesQuery } from './queries.ts'

interface ChangesDialogProps {
  applicationId: string
  /** Otherwise the one that runs. */
  releaseId?: string
  onClose: () => void
}

export function ChangesDialog({ applicationId, releaseId, onClose }: ChangesDialogProps) {
  const { data: releases } = useInfiniteQuery({
    ...releasesQuery(applicationId),
    enabled: releaseId !== undefined,
  })
  if (releaseId === undefined)
    return (
      <Dialog
        open
        wide
        onOpenChange={onClose}
        title="Changed since the last deployment"
        description="How what is configured differs from what runs. It takes effect with the next deployment."
      >
        <ChangeList applicationId={applicationId} />
      </Dialog>
    )
  const number = releases?.find(({ id }) => id === releaseId)?.number
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={number === undefined ? 'From this release to now' : `From release ${number} to now`}
      description="How what is configured now differs from what that release ran with."
    >
      <ChangeList applicationId={applicationId} releaseId={releaseId} />
    </Dialog>
  )
}
