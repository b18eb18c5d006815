import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import {
  type ApplicationDetails,
  applicationQuery,
  useUpdateApplication,
} from '../../areas/applications/queries.ts'
import { isCompose } from '../../areas/applications/source-label.ts'
import { planQuery } from '../../areas/compose/queries.ts'
import { type DeploymentFix, findFixes } from '../../areas/deployments/deployment-fix.ts'
import { type Deployment, useDeployWithoutReview } from '../../areas/deployments/queries.ts'
import { PruneForm } from '../../areas/images/remove-images-dialogs.tsx'
import { ImageField } from '../../areas/registries/image-field.tsx'
import { registriesQuery } from '../../areas/registries/queries.ts'
import { AddRegistryDialog, EditRegistryDialog } from '../../areas/registries/registry-dialogs.tsx'
import { useServer } from '../../areas/servers/queries.ts'
import { FreeDiskSpace } from '../../areas/servers/server-usage.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { FormDialog } from '../../lib/form/form-dialog.tsx'
import { applicationPath } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'

/** Returns the fixes that the errors suggest, that still apply and that the role allows. */
export function useFixes({ errors, status, target }: Deployment): DeploymentFix[] {
  const { role } = useWorkspace()
  const { data: application } = useQuery(applicationQuery(target.id))
  if (status !== 'failed' || !application) return []
  return findFixes(errors).filter((fix) => roleAllows(role, needs[fix.kind]) && applies(fix, application))
}

const needs = {
  port: 'applications.manage',
  image: 'applications.manage',
  registry: 'registries.manage',
  disk: 'servers.root',
} as const

/**
 * Returns whether the fix still applies. A setting that was changed since needs none, and compose files are edited by
 * hand.
 */
function applies(fix: DeploymentFix, { source, port }: ApplicationDetails): boolean {
  if (fix.kind === 'port') return !isCompose(source.type) && port !== fix.port
  if (fix.kind === 'image')
    return source.type === 'docker_image' && isSameImage(source.image ?? '', fix.image)
  return true
}

/** Returns whether the images are the same. Errors name the tag even if the setting omits it. */
const isSameImage = (configured: string, failed: string) =>
  configured === failed || `${configured}:latest` === failed

interface FixesProps {
  deployment: Deployment
  onBegun: (id: string) => void
}

/** Shows the fixes as buttons. The first one is the primary action. */
export function Fixes({ deployment, onBegun }: FixesProps) {
  const { target, server } = deployment
  const fixes = useFixes(deployment)
  const { data: application } = useQuery(applicationQuery(target.id))
  const update = useUpdateApplication(target.id)
  const { deploy, pending } = useDeployAgain(target.id, onBegun)
  const [shown, setShown] = useState<DeploymentFix>()
  if (!application) return null
  const close = () => setShown(undefined)
  const apply = (fix: DeploymentFix) =>
    fix.kind === 'port' ? update.mutate({ port: fix.port }, { onSuccess: deploy }) : setShown(fix)
  return (
    <>
      {fixes.map((fix, index) => (
        <Button
          key={fixLabel(fix)}
          size="small"
          variant={index === 0 ? 'primary' : 'secondary'}
          pending={index === 0 && (update.isPending || pending) && 'Deploying…'}
          onClick={() => apply(fix)}
        >
          {fixLabel(fix)}
        </Button>
      ))}
      {shown?.kind === 'image' && <ImageDialog application={application} onSaved={deploy} onClose={close} />}
      {shown?.kind === 'registry' && <RegistryDialog fix={shown} onSaved={deploy} onClose={close} />}
      {shown?.kind === 'disk' && <DiskDialog serverId={server.id} onClose={close} />}
    </>
  )
}

function fixLabel(fix: DeploymentFix): string {
  if (fix.kind === 'port') return `Use port ${fix.port}`
  if (fix.kind === 'image') return 'Change image'
  if (fix.kind === 'disk') return 'Free disk space'
  return fix.credentials === undefined ? 'Add registry credentials' : 'Edit registry credentials'
}

/** Deploys immediately, or opens the review if there is something to approve. */
export function useDeployAgain(applicationId: string, onBegun: (id: string) => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending } = useDeployWithoutReview(applicationId, () =>
    client.fetchQuery(planQuery(applicationId)),
  )
  const review = `${applicationPath(applicationId, 'deployments')}?dialog=deploy`
  const deploy = () =>
    mutate({ rebuild: false }, { onSuccess: (begun) => (begun ? onBegun(begun.id) : void navigate(review)) })
  return { deploy, pending: isPending }
}

interface FixDialogProps {
  onSaved: () => void
  onClose: () => void
}

function ImageDialog({
  application,
  onSaved,
  onClose,
}: FixDialogProps & { application: ApplicationDetails }) {
  const { data: server } = useServer(application.server.id)
  const update = useUpdateApplication(application.id)
  const [image, setImage] = useState(application.source.image ?? '')
  return (
    <FormDialog
      wide
      title="Change image"
      description="Deploys the new image after saving."
      fields={{ 'source.image': 'required' }}
      action="Save and deploy"
      save={async (values) => {
        await update.mutateAsync({ source: { type: 'docker_image', image: values['source.image'] } })
        onSaved()
      }}
      onClose={onClose}
    >
      {(errors) => (
        <ImageField
          name="source.image"
          value={image}
          onChange={setImage}
          error={errors['source.image']}
          server={server}
        />
      )}
    </FormDialog>
  )
}

type RegistryFix = Extract<DeploymentFix, { kind: 'registry' }>

function RegistryDialog({ fix, onSaved, onClose }: FixDialogProps & { fix: RegistryFix }) {
  const { data: registries } = useInfiniteQuery(registriesQuery)
  const rejected = registries?.find(({ name }) => name === fix.credentials)
  if (rejected)
    return (
      <EditRegistryDialog registry={rejected} action="Save and deploy" onSaved={onSaved} onClose={onClose} />
    )
  if (fix.credentials !== undefined && !registries) return null
  return <AddRegistryDialog image={fix.image} action="Add and deploy" onSaved={onSaved} onClose={onClose} />
}

function DiskDialog({ serverId, onClose }: { serverId: string; onClose: () => void }) {
  const { data: server } = useServer(serverId)
  return (
    <PruneForm serverId={serverId} onClose={onClose} free={server && <FreeDiskSpace server={server} />} />
  )
}
