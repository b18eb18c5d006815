import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TypedField } from '../../lib/form/use-form.ts'
import { useDebounced } from '../../lib/form/use-debounced.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ImageResults, TagPicker, type TargetServer } from './image-results.tsx'
import { supportsArchitecture, isRepository, parseImageName } from './image-name.ts'
import { searchTargets, registryPrefix } from './search-targets.ts'
import { registriesQuery, type TagSearchResult } from './queries.ts'

interface ImageFieldProps extends TypedField {
  server?: TargetServer | undefined
}

export function ImageField({ name, value, onChange, error, server }: ImageFieldProps) {
  const { data: registries = [] } = useInfiniteQuery(registriesQuery)
  const [open, setOpen] = useState<'search' | 'tags'>()
  const [picked, setPicked] = useState<{ image: string; tag: TagSearchResult }>()
  const sought = useDebounced(value, 300).trim()
  const { repository, reference } = parseImageName(value)
  const places = open === 'search' ? searchTargets(sought, registries) : []

  function take(text: string, next: typeof open) {
    onChange(text)
    setOpen(next)
  }

  return (
    <div className="flex flex-col gap-3">
      <Field
        label="Image"
        help="Search Docker Hub or enter a full image name, such as ghcr.io/acme/shop:2.1. The tag defaults to latest."
        error={error}
      >
        <Input
          name={name}
          mono
          value={value}
          onChange={({ target }) => take(target.value, 'search')}
          placeholder="nginx, or ghcr.io/acme/shop:2.1"
        />
      </Field>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {isRepository(repository) && open !== 'tags' && (
          <Button size="small" onClick={() => setOpen('tags')}>
            {reference ? 'Choose another tag' : 'Choose a tag'}
          </Button>
        )}
        {registries.map((registry) => (
          <Button key={registry.id} size="small" onClick={() => take(registryPrefix(registry), 'search')}>
            Search in {registry.name}
          </Button>
        ))}
      </div>
      {places.map(({ registry, q }) => (
        <ImageResults
          key={registry?.id ?? 'hub'}
          place={registry?.name ?? 'Docker Hub'}
          {...(registry && { registryId: registry.id })}
          q={q}
          quiet={places.length > 1 && registry !== undefined}
          onPick={(image) => take(image, 'tags')}
        />
      ))}
      {open === 'tags' && isRepository(repository) && (
        <TagPicker
          key={repository}
          {...{ repository, server }}
          chosen={reference}
          onPick={(tag) => {
            const image = `${repository}:${tag.name}`
            setPicked({ image, tag })
            take(image, undefined)
          }}
        />
      )}
      {picked?.image === value &&
        server &&
        !supportsArchitecture(picked.tag.platforms, server.architecture) && (
          <Notice tone="yellow" title={`This image is not built for ${server.name}`}>
            The image is available for {picked.tag.platforms.join(', ')}. The server has the architecture{' '}
            {server.architecture}. Choose another tag or server.
          </Notice>
        )}
    </div>
  )
}
