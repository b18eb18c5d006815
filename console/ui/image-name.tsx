interface ImageNameProps {
  children: string
}

/**
 * Shows an image. The path is truncated before the name, so that the tag stays visible. Each part shrinks a million
 * times as much as the next: a smaller ratio takes a fraction of a pixel from the next part, which truncates it as well.
 */
export function ImageName({ children: image }: ImageNameProps) {
  const { path, name, tag } = splitImage(image)
  return (
    <span dir="ltr" title={image} className="flex max-w-full min-w-0 font-mono text-sm">
      {path !== '' && <span className="min-w-[3ch] shrink-[1e12] truncate">{path}</span>}
      <span className="min-w-[3ch] shrink-[1e6] truncate">{name}</span>
      {tag !== '' && <span className="min-w-0 truncate">{tag}</span>}
    </span>
  )
}

/** Splits `registry:5000/team/checkout:2026-11-15` into `registry:5000/team/`, `checkout` and `:2026-11-15`. */
export function splitImage(image: string): { path: string; name: string; tag: string } {
  const last = image.lastIndexOf('/') + 1
  const rest = image.slice(last)
  const tag = rest.search(/[:@]/)
  const name = tag === -1 ? rest : rest.slice(0, tag)
  return { path: image.slice(0, last), name, tag: rest.slice(name.length) }
}
