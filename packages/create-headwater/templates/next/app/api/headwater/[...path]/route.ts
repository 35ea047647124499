import { proxy } from '../../../../data/proxy'

export { proxy as GET, proxy as HEAD, proxy as OPTIONS }
