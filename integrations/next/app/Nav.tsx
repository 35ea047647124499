import Link from 'next/link'

export const Nav = ({ path }: { path: string }) => (
  <nav>
    <Link href="/">Home</Link>
    <Link href={`${path}/0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`}>A</Link>
    <Link href={`${path}/0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb`}>B</Link>
  </nav>
)
