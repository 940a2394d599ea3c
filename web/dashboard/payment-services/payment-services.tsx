import { ServiceDetail } from './detail.tsx'
import { EditService } from './edit.tsx'
import { ServiceList } from './list.tsx'
import { NewService, ServiceCatalogue } from './new.tsx'

export const pages = {
  '/': ServiceList,
  '/new': ServiceCatalogue,
  '/new/$definition': NewService,
  '/$id': ServiceDetail,
  '/$id/edit': EditService,
}
