import { useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Changes } from './changes-dialog.tsx'
import { resetPreviewQuery, useResetConfiguration } from './queries.ts'
import { ErrorText } from '../../ui/problem.tsx'

interface ResetConfigurationDialogProps {
  application: { id: string; name: string }
  onClose: () => void
}

export function ResetConfigurationDialog({ application, onClose }: ResetConfigurationDialogProps) {
  const { id, name } = application
  const { data: preview, error, isFetching, refetch } = useQuery(resetPreviewQuery(id))
  const reset = useResetConfiguration(id)
  const nothing = preview?.changes.length === 0
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={`Reset the configuration of ${name}?`}
      description={
        preview
          ? `Restores the configuration of release ${preview.release.number}, which is live. Nothing is deployed. Domains and published ports are kept.`
          : 'Restores the configuration of the live release. Nothing is deployed.'
      }
    >
      {error && !preview && <ErrorText error={error} />}
      {!error && !preview && <Skeleton className="h-16 w-full" />}
      {preview && <Changes changes={preview.changes} />}
      {preview && preview.remaining.length > 0 && (
        <section aria-labelledby="remaining" className="flex flex-col gap-2">
          <h3 id="remaining" className="text-sm font-medium">
            Remaining differences from the project
          </h3>
          <Changes changes={preview.remaining} />
        </section>
      )}
      {preview && !nothing && (
        <p className="text-sm text-muted">The current values, including environment variables, are lost.</p>
      )}
      <DialogFooter
        danger
        // Users must not confirm an outdated preview.
        disabled={!preview || nothing || isFetching}
        pending={reset.isPending && 'Resetting…'}
        onClick={() =>
          preview &&
          reset.mutate(preview.revision, {
            onSuccess: () => {
              toast.success('Configuration reset')
              onClose()
            },
            onError: () => void refetch(),
          })
        }
      >
        Reset configuration
      </DialogFooter>
    </Dialog>
  )
}
