import { Hammer, LayoutTemplate, Play, Rocket, RotateCw, Square, Trash2, Undo2 } from 'lucide-react'
import { newTemplatePath } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ActionsMenu, MenuItem, MenuLink, MenuSeparator } from '../../ui/menu/dropdown-menu.tsx'
import type { Application, ApplicationDetails } from './queries.ts'
import { describeCrash } from './application-status.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

export type ApplicationAction = 'deploy' | 'rebuild' | 'restart' | 'stop' | 'start'

interface ApplicationActionsProps {
  application: Application
  acting: ApplicationAction | undefined
  onAct: (act: ApplicationAction) => void
  onRollBack: () => void
  onDelete?: (() => void) | undefined
}

export function ApplicationActions({
  application,
  acting,
  onAct,
  onRollBack,
  onDelete,
}: ApplicationActionsProps) {
  const { id, name, state, release, deployment, source } = application
  const built = source.type === 'github'
  const stopped = state === 'stopped'
  // After a crash, a rollback restores the application fastest, so it is the primary action.
  const hasCrashed = state === 'crashing' || (state === 'failed' && deployment?.crashed === true)
  const rollsBack = hasCrashed && release !== null && release.number > 1
  return (
    <>
      {rollsBack && (
        <Button variant="primary" onClick={onRollBack}>
          <Undo2 aria-hidden />
          Roll back…
        </Button>
      )}
      <Button
        variant={rollsBack ? 'secondary' : 'primary'}
        disabled={acting !== undefined && acting !== 'deploy'}
        pending={acting === 'deploy' && 'Deploying…'}
        onClick={() => onAct('deploy')}
      >
        <Rocket aria-hidden />
        Deploy
      </Button>
      <ActionsMenu name={name} variant="secondary">
        {built && (
          <MenuItem disabled={acting !== undefined} onSelect={() => onAct('rebuild')}>
            <Hammer aria-hidden />
            Rebuild
          </MenuItem>
        )}
        {release !== null && (
          <>
            {!stopped && (
              <MenuItem disabled={acting !== undefined} onSelect={() => onAct('restart')}>
                <RotateCw aria-hidden />
                Restart
              </MenuItem>
            )}
            <MenuItem disabled={acting !== undefined} onSelect={() => onAct(stopped ? 'start' : 'stop')}>
              {stopped ? <Play aria-hidden /> : <Square aria-hidden />}
              {stopped ? 'Start' : 'Stop…'}
            </MenuItem>
            <MenuItem onSelect={onRollBack}>
              <Undo2 aria-hidden />
              Roll back…
            </MenuItem>
          </>
        )}
        {onDelete && (
          <>
            {!built && (
              <MenuLink to={newTemplatePath({ application: id })}>
                <LayoutTemplate aria-hidden />
                Save as template
              </MenuLink>
            )}
            <MenuSeparator />
            <MenuItem danger onSelect={onDelete}>
              <Trash2 aria-hidden />
              Delete…
            </MenuItem>
          </>
        )}
      </ActionsMenu>
    </>
  )
}

interface StopApplicationDialogProps {
  application: Pick<Application, 'name' | 'address'>
  stopping: boolean
  onClose: () => void
  onStop: () => void
}

export const StopApplicationDialog = ({
  application,
  stopping,
  onClose,
  onStop,
}: StopApplicationDialogProps) => (
  <ConfirmDialog
    open
    onOpenChange={onClose}
    title={`Stop ${application.name}?`}
    action="Stop application"
    pending={stopping && 'Stopping…'}
    onConfirm={onStop}
  >
    Its containers are drained and stopped. The application is unreachable
    {application.address !== null && ` at ${application.address}`} until you start it again. No data is lost.
  </ConfirmDialog>
)

interface DeployCrashedDialogProps {
  application: ApplicationDetails
  release: NonNullable<ApplicationDetails['crashed_release']>
  deploying: boolean
  onClose: () => void
  onDeploy: () => void
  /** `onReset` is undefined if there is nothing to reset or the user lacks the permission. */
  onReset: (() => void) | undefined
}

export const DeployCrashedDialog = ({
  application,
  release,
  deploying,
  onClose,
  onDeploy,
  onReset,
}: DeployCrashedDialogProps) => (
  <ConfirmDialog
    open
    onOpenChange={onClose}
    title={`Deploy release ${release.number} of ${application.name} again?`}
    action="Deploy anyway"
    pending={deploying && 'Deploying…'}
    wide
    alternative={onReset && <Button onClick={onReset}>Reset configuration…</Button>}
    onConfirm={onDeploy}
  >
    {describeCrash(application, release)}
    {onReset && ` You can reset the configuration to release ${application.release?.number} instead.`}
  </ConfirmDialog>
)
