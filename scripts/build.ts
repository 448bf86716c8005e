console.log('build comes later');
