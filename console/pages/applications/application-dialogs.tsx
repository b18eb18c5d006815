import { useNavigate } from 'react-router'
import { DeleteApplicationDialog } from '../../areas/applications/delete-application-dialog.tsx'
import { CrashedReleaseNotice } from '../../areas/applications/application-notice.tsx'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { DeployCrashedDialog, StopApplicationDialog } from '../../areas/applications/application-actions.tsx'
import { isCompose } from '../../areas/applications/source-label.ts'
import { DeployDialog, PlanDeploy, RollbackPlan } from '../../areas/compose/plan-deploy.tsx'
import { ChangesDialog } from '../../areas/deployments/changes-dialog.tsx'
import { ResetConfigurationDialog } from '../../areas/deployments/reset-configuration-dialog.tsx'
import { RollBackDialog } from '../../areas/deployments/roll-back-dialog.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { paths } from '../../paths.ts'
import type { ApplicationActionHandlers } from './use-application-actions.ts'

interface ApplicationDialogsProps {
  application: ApplicationDetails
  acts: ApplicationActionHandlers
  deploys: boolean
  manages: boolean
}

/**
 * Dialogs that the URL opens: `deploy`, `deploy-crashed`, `rebuild`, `stop`, `roll-back`, `changes`,
 * `reset-configuration` and `delete`; followed by a release ID where one is needed.
 */
export function ApplicationDialogs({ application, acts, deploys, manages }: ApplicationDialogsProps) {
  const { dialog, close } = useDialog()
  const navigate = useNavigate()
  const { id } = application
  const compose = isCompose(application.source.type)
  const planned = (rebuild = false) => ({
    deploying: acts.acting === (rebuild ? 'rebuild' : 'deploy'),
    onDeploy: acts.deployPlanned(rebuild),
  })
  const [, kind, releaseId] = /^([a-z-]+?)(?:-(rel_\w+))?$/.exec(dialog) ?? []
  const onReset = manages && application.changed ? () => acts.ask('reset-configuration') : undefined
  const warning = <CrashedReleaseNotice application={application} onReset={onReset} />
  const meant = releaseId === undefined ? {} : { releaseId }
  if (kind === 'changes')
    return (
      <ChangesDialog
        application={application}
        {...meant}
        onClose={close}
        plan={
          deploys && (
            <>
              {warning}
              <PlanDeploy applicationId={id} {...planned()} />
            </>
          )
        }
      />
    )
  if ((kind === 'deploy' || kind === 'rebuild') && deploys)
    return (
      <DeployDialog
        application={application}
        {...planned(kind === 'rebuild')}
        onClose={close}
        warning={warning}
      />
    )
  if (kind === 'deploy-crashed' && deploys && application.crashed_release)
    return (
      <DeployCrashedDialog
        application={application}
        release={application.crashed_release}
        deploying={acts.acting === 'deploy'}
        onClose={close}
        onDeploy={() => (compose ? acts.ask('deploy') : acts.act('deploy'))}
        onReset={onReset}
      />
    )
  if (kind === 'reset-configuration' && manages)
    return <ResetConfigurationDialog application={application} onClose={close} />
  if (kind === 'stop' && deploys)
    return (
      <StopApplicationDialog
        application={application}
        stopping={acts.acting === 'stop'}
        onClose={close}
        onStop={() => acts.act('stop')}
      />
    )
  if (kind === 'roll-back' && deploys)
    return (
      <RollBackDialog
        application={application}
        {...meant}
        onClose={close}
        onShow={acts.show}
        renderPlan={
          compose
            ? (release, renderButtons) => (
                <RollbackPlan applicationId={id} releaseId={release}>
                  {renderButtons}
                </RollbackPlan>
              )
            : undefined
        }
      />
    )
  if (kind === 'delete' && manages)
    return (
      <DeleteApplicationDialog
        application={application}
        away={application.state === 'unknown'}
        onClose={close}
        onDeleted={() => void navigate(paths.applications, { replace: true })}
      />
    )
  return null
}
