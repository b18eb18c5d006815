import { readVariables } from '../../../../contract/shared/dotenv.ts'
import { Checkbox } from '../../../ui/form/checkbox.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Input, Textarea } from '../../../ui/form/input.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { TagsInput } from '../../../ui/form/tags-input.tsx'
import { entryError } from '../entries/entry-errors.ts'
import { splitCommaList, checkedValue, type RepositoryDraft } from './repository-fields.ts'

export interface RepositoryPartProps {
  typed: RepositoryDraft
  errors: Readonly<Record<string, string>>
  /** Some controls fire no input events, so they report their choice here. */
  onChoose: (field: keyof RepositoryDraft, value: string) => void
}

const builders = [
  { value: 'auto', label: 'Automatic' },
  { value: 'dockerfile', label: 'Dockerfile in the repository' },
  { value: 'generated', label: 'Generated Dockerfile' },
  { value: 'railpack', label: 'Railpack, if installed on the server (admins only)' },
]

const ways: Record<string, string> = {
  auto: 'Uses the Dockerfile in the repository or generates one.',
  railpack: 'Admins only. Everyone who can push to the repository gets root access to the server.',
}

export function BuildFields({ typed, errors, onChoose }: RepositoryPartProps) {
  const builder = typed['source.builder']
  const named = builder === 'auto' || builder === 'dockerfile'
  return (
    <div className="flex flex-col gap-4">
      <Field label="Builder" help={ways[builder]} error={errors['source.builder']}>
        <Select
          name="source.builder"
          options={builders}
          value={builder}
          onValueChange={(value) => onChoose('source.builder', value)}
        />
      </Field>
      {named && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Dockerfile path"
            optional
            help="Relative to the build folder."
            error={errors['source.dockerfile']}
          >
            <Input
              name="source.dockerfile"
              mono
              defaultValue={typed['source.dockerfile']}
              placeholder="Dockerfile"
            />
          </Field>
          <Field label="Stage" optional help="Defaults to the last stage." error={errors['source.target']}>
            <Input name="source.target" mono defaultValue={typed['source.target']} />
          </Field>
        </div>
      )}
      {!named && <HiddenFields names={['source.dockerfile', 'source.target']} typed={typed} />}
      <div className="grid gap-4 lg:grid-cols-2">
        <Field
          label="Build arguments"
          optional
          help="KEY=value, one per line. Visible to everyone who has the image."
          error={entryError(
            errors,
            'source.build_args',
            readVariables(typed['source.build_args']).map(({ key }) => key),
          )}
        >
          <Textarea name="source.build_args" mono rows={3} defaultValue={typed['source.build_args']} />
        </Field>
        <Field
          label="Build secrets"
          optional
          help="Variables for RUN --mount=type=secret,id=NAME. Not stored in the image."
          error={entryError(errors, 'source.build_secrets', splitCommaList(typed['source.build_secrets']))}
        >
          <TagsInput
            value={splitCommaList(typed['source.build_secrets'])}
            onChange={(names) => onChoose('source.build_secrets', names.join(','))}
            placeholder="NPM_TOKEN"
          />
        </Field>
      </div>
      <HiddenFields names={['source.build_secrets', 'source.submodules', 'source.lfs']} typed={typed} />
      <Checkbox
        label="Fetch submodules"
        help="Builds can then read every repository that Slipway can access in the account."
        checked={typed['source.submodules'] === checkedValue}
        onChange={({ target }) => onChoose('source.submodules', target.checked ? checkedValue : '')}
      />
      <Checkbox
        label="Fetch Git LFS files"
        checked={typed['source.lfs'] === checkedValue}
        onChange={({ target }) => onChoose('source.lfs', target.checked ? checkedValue : '')}
      />
      <Limits typed={typed} errors={errors} />
    </div>
  )
}

export const HiddenFields = ({
  names,
  typed,
}: {
  names: (keyof RepositoryDraft)[]
  typed: RepositoryDraft
}) => names.map((name) => <input key={name} type="hidden" name={name} value={typed[name]} />)

/** Limits keep the server and its applications responsive during builds. */
const Limits = ({ typed, errors }: Omit<RepositoryPartProps, 'onChoose'>) => (
  <div className="grid gap-4 sm:grid-cols-3">
    <Field
      label="Memory (MiB)"
      optional
      help="Defaults to at most 75% of the server’s memory."
      error={errors['source.build_memory']}
    >
      <Input
        autoComplete="off"
        name="source.build_memory"
        inputMode="decimal"
        defaultValue={typed['source.build_memory']}
      />
    </Field>
    <Field
      label="CPU (cores)"
      optional
      help="Defaults to 75% of the server’s cores, at least one."
      error={errors['source.build_cpus']}
    >
      <Input
        autoComplete="off"
        name="source.build_cpus"
        inputMode="decimal"
        defaultValue={typed['source.build_cpus']}
      />
    </Field>
    <Field
      label="Timeout (minutes)"
      help="Longer builds are canceled."
      error={errors['source.build_minutes']}
    >
      <Input
        autoComplete="off"
        name="source.build_minutes"
        inputMode="numeric"
        defaultValue={typed['source.build_minutes']}
      />
    </Field>
  </div>
)
