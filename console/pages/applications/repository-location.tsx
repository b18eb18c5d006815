import type { RepositoryPartProps } from '../../areas/applications/settings/build-fields.tsx'
import { BranchField } from '../../areas/integrations/repository-picker.tsx'
import { InspectionResult } from '../../areas/integrations/inspection-result.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'

interface RepositoryPlaceProps extends RepositoryPartProps {
  applicationId?: string
  integrationId: string
}

export function RepositoryLocation({
  applicationId,
  integrationId,
  typed,
  errors,
  onChoose,
}: RepositoryPlaceProps) {
  const repository = typed['source.repository']
  const place = { repository, branch: typed['source.branch'].trim(), folder: typed['source.folder'] }
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <BranchField
          applicationId={applicationId}
          integrationId={integrationId}
          repository={repository}
          value={typed['source.branch']}
          onChange={(branch) => onChoose('source.branch', branch)}
          error={errors['source.branch']}
        />
        <Field
          label="Folder"
          optional
          help="Build folder in the repository. Defaults to the root."
          error={errors['source.folder']}
        >
          <Input
            key={repository}
            name="source.folder"
            mono
            defaultValue={typed['source.folder']}
            placeholder="apps/web"
          />
        </Field>
      </div>
      <InspectionResult
        integrationId={integrationId}
        place={place}
        generated={typed['source.generated']}
        onEdit={(generated) => onChoose('source.generated', generated)}
        error={errors['source.generated']}
        hidesFailure={Boolean(errors['source.branch'] ?? errors['source.folder'])}
      />
    </>
  )
}
