/**
 * Writes the software bill of materials (CycloneDX 1.6): the bundle has no node_modules that an audit could read.
 */
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import type { BundledPackage } from './bundled-packages.ts';

const { FromNodePackageJson, License } = Contrib;
/** Makes components; an SPDX identifier is recognised, an expression is kept as a name. */
const components = new FromNodePackageJson.Builders.ComponentBuilder(
  new FromNodePackageJson.Factories.ExternalReferenceFactory(),
  new License.Factories.LicenseFactory(() => false),
);

/** `own`: the package.json of this program. Has no time and no serial number, so that builds can be compared. */
export function sbom(program: BundledPackage['about'], packages: readonly BundledPackage[]): string {
  const bom = new Models.Bom();
  bom.metadata.component = componentOf(program, Enums.ComponentType.Application);
  for (const { about } of packages) bom.components.add(componentOf(about, Enums.ComponentType.Library));
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return serializer.serialize(bom, { sortLists: true, space: 2 });
}

function componentOf(about: BundledPackage['about'], type: Enums.ComponentType): Models.Component {
  const component = components.makeComponent(about, type);
  if (component === undefined) throw new Error(`${about.name} cannot be named in the bill of materials`);
  component.purl = packageUrl(about);
  component.bomRef.value = component.purl;
  return component;
}

/** `pkg:npm/%40scope/name@1.2.3` (Package URL, type npm). */
function packageUrl({ name, version }: BundledPackage['about']): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
