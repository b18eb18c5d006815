import { Box, Layers } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { BrandLogo, PictureLogo } from '../../ui/brand/brand-logo.tsx'
import { imageBrands } from '../../ui/brand/image-brand.ts'
import { GitHubMark } from '../../ui/logo.tsx'
import { displayedImage } from './application-status.ts'
import type { Application } from './queries.ts'
import { isCompose } from './source-label.ts'

interface ApplicationLogoProps {
  application: Pick<Application, 'favicon' | 'logo' | 'source' | 'release'>
  size?: ComponentProps<typeof BrandLogo>['size']
}

/** Prefers the favicon, then the logo of the template or image, then the kind of the source. */
export function ApplicationLogo({ application, size = 'medium' }: ApplicationLogoProps) {
  const { favicon, logo, source } = application
  const [broken, setBroken] = useState<string | null>(null)
  if (favicon !== null && favicon !== broken)
    return <PictureLogo src={favicon} size={size} onError={() => setBroken(favicon)} />
  const image = displayedImage(application)
  const names = [
    ...(logo === null ? [] : [logo]),
    ...(image === null ? [] : imageBrands(image)),
    ...(source.type === 'docker_image' ? ['docker'] : []),
  ]
  return <BrandLogo names={names} size={size} fallback={<SourceIcon type={source.type} />} />
}

function SourceIcon({ type }: { type: string }) {
  if (type === 'github') return <GitHubMark />
  const Icon = isCompose(type) ? Layers : Box
  return <Icon className="size-4" />
}
