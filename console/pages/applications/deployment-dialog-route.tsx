import { lazyPage } from '../../lib/lazy-page.tsx'
import { useDialog } from '../../lib/use-dialog.ts'

const Details = lazyPage(async () => (await import('./deployment-details.tsx')).DeploymentDetails)

export function DeploymentDialogRoute() {
  const { dialog: id } = useDialog('deploymentId')
  return id === '' ? null : <Details key={id} id={id} />
}
