export { load } from '../+page'
