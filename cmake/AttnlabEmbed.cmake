# Files of an offline page as string constants of the program, so that it needs no files at run time.

# attnlab_embed(variable NAMESPACE ns PARTS "markup=page.html" "style=a.css,b.css" ...): the path of a generated C++ file goes into
# `variable`. It defines, for each part, `extern const char* const NAME[]` in the namespace: the files' text one after the other, in
# pieces, ended by a null pointer; the header that declares them belongs to the folder. Paths start at the current source folder.
function(attnlab_embed variable)
  cmake_parse_arguments(arg "" "NAMESPACE" "PARTS" ${ARGN})
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${variable}.cpp)
  set(files "")
  foreach(part IN LISTS arg_PARTS)
    string(REGEX REPLACE "^[^=]*=" "" names "${part}")
    string(REPLACE "," ";" names "${names}")
    list(APPEND files ${names})
  endforeach()
  list(TRANSFORM files PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  string(REPLACE ";" "|" parts "${arg_PARTS}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${CMAKE_CURRENT_SOURCE_DIR} -DNAMESPACE=${arg_NAMESPACE} "-DPARTS=${parts}" -DOUTPUT=${output} -P ${script}
    DEPENDS ${files} ${script}
    COMMENT "Putting the files of ${arg_NAMESPACE} into the program" VERBATIM)
  set(${variable} ${output} PARENT_SCOPE)
endfunction()
