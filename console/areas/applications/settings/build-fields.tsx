import { readPairs } from '../../../../contract/shared/entries.ts'
import { Checkbox } from '../../../ui/form/checkbox.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { TagsInput } from '../../../ui/form/tags-input.tsx'
import { Textarea } from '../../../ui/form/textarea.tsx'
import { entryError } from '../entries/entry-errors.ts'
import { readList, ticked, type TypedRepository } from './repository-fields.ts'

export interface RepositoryPartProps {
  /** To begin with. */
  typed: TypedRepository
  errors: Readonly<Record<string, string>>
  /** For what cannot be heard as typing. */
  onChoose: (field: keyof TypedRepository, value: string) => void
}

const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

const builders = [
  { value: 'auto', label: 'Automatic' },
  { value: 'dockerfile', label: 'A Dockerfile of the repository' },
  { value: 'generated', label: 'A generated Dockerfile' },
  { value: 'railpack', label: 'Railpack, where the server has it (for admins)' },
]

/** More of what one chose. */
const ways: Record<string, string> = {
  auto: 'With the Dockerfile of the repository; where there is none, with one that is generated.',
  railpack:
    'Railpack runs on the server itself, so everybody who pushes to the repository has power over it. Only admins may choose this.',
}

/** How the image is made. */
export function BuildFields({ typed, errors, onChoose }: RepositoryPartProps) {
  const builder = typed['source.builder']
  const named = builder === 'auto' || builder === 'dockerfile'
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <Field label="How it is built" help={ways[builder]} error={errors['source.builder']}>
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
            label="Path of the Dockerfile"
            optional
            help="In the folder that is built."
            error={errors['source.dockerfile']}
          >
            <Input
              {...plain}
              name="source.dockerfile"
              mono
              defaultValue={typed['source.dockerfile']}
              placeholder="Dockerfile"
            />
          </Field>
          <Field label="Stage" optional help="Empty: the last one." error={errors['source.target']}>
            <Input {...plain} name="source.target" mono defaultValue={typed['source.target']} />
          </Field>
        </div>
      )}
      {!named && <Kept names={['source.dockerfile', 'source.target']} typed={typed} />}
      <Field
        label="Build arguments"
        optional
        help="One a line, as KEY=value. They stay readable in the image: take secrets for what must not."
        error={entryError(
          errors,
          'source.build_args',
          readPairs(typed['source.build_args']).map(({ key }) => key),
        )}
      >
        <Textarea
          {...plain}
          name="source.build_args"
          mono
          rows={3}
          defaultValue={typed['source.build_args']}
        />
      </Field>
      <Field
        label="Build secrets"
        optional
        help="Names of its environment that the Dockerfile may mount with RUN --mount=type=secret,id=NAME. They never stand in the image."
        error={entryError(errors, 'source.build_secrets', readList(typed['source.build_secrets']))}
      >
        <TagsInput
          value={readList(typed['source.build_secrets'])}
          onChange={(names) => onChoose('source.build_secrets', names.join(','))}
          placeholder="NPM_TOKEN"
        />
      </Field>
      <Kept names={['source.build_secrets', 'source.submodules', 'source.lfs']} typed={typed} />
      <Checkbox
        label="Fetch submodules"
        help="Builds can then read every repository of the account that Slipway may see: submodules may be in any of them."
        checked={typed['source.submodules'] === ticked}
        onChange={({ target }) => onChoose('source.submodules', target.checked ? ticked : '')}
      />
      <Checkbox
        label="Fetch files of Git LFS"
        checked={typed['source.lfs'] === ticked}
        onChange={({ target }) => onChoose('source.lfs', target.checked ? ticked : '')}
      />
      <Limits typed={typed} errors={errors} />
    </div>
  )
}

/** What stands in no field that a form would read. */
export const Kept = ({ names, typed }: { names: (keyof TypedRepository)[]; typed: TypedRepository }) =>
  names.map((name) => <input key={name} type="hidden" name={name} value={typed[name]} />)

/** What a build may take of the server, so that what runs there goes on. */
const Limits = ({ typed, errors }: Omit<RepositoryPartProps, 'onChoose'>) => (
  <div className="grid gap-4 sm:grid-cols-3">
    <Field
      label="Memory (MiB)"
      optional
      help="Empty: by the size of the server."
      error={errors['source.build_memory']}
    >
      <Input
        {...plain}
        name="source.build_memory"
        inputMode="decimal"
        defaultValue={typed['source.build_memory']}
      />
    </Field>
    <Field
      label="CPU (cores)"
      optional
      help="Empty: by the size of the server."
      error={errors['source.build_cpus']}
    >
      <Input
        {...plain}
        name="source.build_cpus"
        inputMode="decimal"
        defaultValue={typed['source.build_cpus']}
      />
    </Field>
    <Field label="Minutes" help="Then a build is ended." error={errors['source.build_minutes']}>
      <Input
        {...plain}
        name="source.build_minutes"
        inputMode="numeric"
        defaultValue={typed['source.build_minutes']}
      />
    </Field>
  </div>
)
